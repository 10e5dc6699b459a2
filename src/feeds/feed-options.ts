import {
  noCalendarOptions,
  type CalendarOptions,
  type FilterParameter,
} from '../calendar/calendar-options.ts'
import { colorFrom } from '../calendar/color.ts'
import type { ItemOptions } from '../syndication/item-options.ts'
import { createParameters, type OptionsReading } from './parameters.ts'

/*
 * The options in the addresses of feeds. Parameters that are none of them are ignored; for all that
 * mean the same there is one query string, empty when nothing is chosen.
 */

const colorText = 'a CSS color name like firebrick, or six hexadecimal digits like b22222'
const isColor = (text: string) => colorFrom(text) !== undefined

const maxDays = 3650
const maxAlarmMinutes = 4 * 7 * 24 * 60
const maxAlarms = 5
const maxItems = 200
const defaultItems = 50

export function readCalendarOptions(
  query: URLSearchParams,
  partParameter: FilterParameter | undefined,
): OptionsReading<CalendarOptions> {
  const parameters = createParameters(query)
  const options: CalendarOptions = {
    parts: partParameter === undefined ? [] : parameters.ids(partParameter),
    pastDays: parameters.wholeNumber('past', 0, maxDays),
    futureDays: parameters.wholeNumber('future', 0, maxDays),
    alarmMinutes: parameters.wholeNumbers('alarm', {
      least: 0,
      most: maxAlarmMinutes,
      maxCount: maxAlarms,
      example: '30,1440',
    }),
    cancelled: parameters.oneOf('cancelled', ['drop', 'mark']),
    busy: parameters.flag('busy'),
    color: colorFrom(parameters.text('color', isColor, colorText) ?? ''),
  }
  return parameters.reading(options)
}

export function calendarQuery(
  options: CalendarOptions,
  partParameter: FilterParameter | undefined,
): string {
  const { parts, pastDays, futureDays, alarmMinutes, cancelled, busy, color } = options
  return queryOf([
    [partParameter ?? '', listOf(parts)],
    ['past', pastDays],
    ['future', futureDays],
    ['alarm', listOf(alarmMinutes)],
    ['cancelled', cancelled === 'mark' ? cancelled : undefined],
    ['busy', busy === undefined ? undefined : Number(busy)],
    ['color', color],
  ])
}

/** The options of a calendar that choose what lists and boards show of it. */
export function calendarFilters(
  options: CalendarOptions,
  partParameter: FilterParameter | undefined,
): string {
  const { parts, pastDays, futureDays } = options
  return calendarQuery({ ...noCalendarOptions, parts, pastDays, futureDays }, partParameter)
}

/** `category` and `featured` are options of feeds whose records know them. */
export function readItemOptions(
  query: URLSearchParams,
  { hasCategories }: { readonly hasCategories: boolean },
): OptionsReading<ItemOptions> {
  const parameters = createParameters(query)
  const options: ItemOptions = {
    categories: hasCategories ? parameters.ids('category') : [],
    limit: parameters.wholeNumber('limit', 1, maxItems) ?? defaultItems,
    content: parameters.oneOf('content', ['full', 'summary']),
    isFeatured: hasCategories && parameters.oneOf('featured', ['0', '1']) === '1',
  }
  return parameters.reading(options)
}

export function itemQuery({ categories, limit, content, isFeatured }: ItemOptions): string {
  return queryOf([
    ['category', listOf(categories)],
    ['limit', limit === defaultItems ? undefined : limit],
    ['content', content === 'full' ? undefined : content],
    ['featured', isFeatured ? 1 : undefined],
  ])
}

/** The options of a news feed that choose what lists and boards show of it, but for how much. */
export function itemFilters(options: ItemOptions): string {
  return itemQuery({ ...options, limit: defaultItems, content: 'full' })
}

function listOf(numbers: readonly number[]): string | undefined {
  return numbers.length > 0 ? numbers.join(',') : undefined
}

function queryOf(
  parameters: readonly (readonly [name: string, value: string | number | undefined])[],
): string {
  return parameters
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&')
}
