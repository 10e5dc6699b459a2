import type { CalendarOptions, PartParameter } from '../calendar/calendar-options.ts'
import type { ItemOptions } from '../syndication/item-options.ts'

/*
 * The options in the addresses of feeds. Parameters that are none of them are ignored; for all that
 * mean the same there is one query string, empty when nothing is chosen.
 */

export type OptionsReading<T> =
  | { readonly ok: true; readonly options: T }
  | {
      readonly ok: false
      /** One plain sentence. */
      readonly reason: string
    }

const maxParts = 20
const maxDays = 3650
const maxAlarmMinutes = 4 * 7 * 24 * 60
const maxItems = 200
const defaultItems = 50

export function readCalendarOptions(
  query: URLSearchParams,
  partParameter: PartParameter | undefined,
): OptionsReading<CalendarOptions> {
  const parameters = createParameters(query)
  const options: CalendarOptions = {
    parts: partParameter === undefined ? [] : parameters.numbers(partParameter),
    pastDays: parameters.wholeNumber('past', 0, maxDays),
    futureDays: parameters.wholeNumber('future', 0, maxDays),
    alarmMinutes: parameters.wholeNumber('alarm', 0, maxAlarmMinutes),
    cancelled: parameters.oneOf('cancelled', ['drop', 'mark']),
  }
  return parameters.reading(options)
}

export function calendarQuery(
  options: CalendarOptions,
  partParameter: PartParameter | undefined,
): string {
  const { parts, pastDays, futureDays, alarmMinutes, cancelled } = options
  return queryOf([
    [partParameter ?? '', parts.length > 0 ? parts.join(',') : undefined],
    ['past', pastDays],
    ['future', futureDays],
    ['alarm', alarmMinutes],
    ['cancelled', cancelled === 'mark' ? cancelled : undefined],
  ])
}

/** `category` and `featured` are options of feeds whose records know them. */
export function readItemOptions(
  query: URLSearchParams,
  { hasCategories }: { readonly hasCategories: boolean },
): OptionsReading<ItemOptions> {
  const parameters = createParameters(query)
  const options: ItemOptions = {
    category: hasCategories
      ? parameters.wholeNumber('category', 1, Number.MAX_SAFE_INTEGER)
      : undefined,
    limit: parameters.wholeNumber('limit', 1, maxItems) ?? defaultItems,
    content: parameters.oneOf('content', ['full', 'summary']),
    isFeatured: hasCategories && parameters.oneOf('featured', ['0', '1']) === '1',
  }
  return parameters.reading(options)
}

export function itemQuery({ category, limit, content, isFeatured }: ItemOptions): string {
  return queryOf([
    ['category', category],
    ['limit', limit === defaultItems ? undefined : limit],
    ['content', content === 'full' ? undefined : content],
    ['featured', isFeatured ? 1 : undefined],
  ])
}

function queryOf(
  parameters: readonly (readonly [name: string, value: string | number | undefined])[],
): string {
  return parameters
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join('&')
}

/** Reads parameters and collects what is wrong with them. */
function createParameters(query: URLSearchParams) {
  const faults: string[] = []

  function once(name: string): string | undefined {
    const [value, ...others] = query.getAll(name)
    if (others.length > 0) faults.push(`${name} is given more than once.`)
    return value
  }

  return {
    wholeNumber(name: string, least: number, most: number): number | undefined {
      const text = once(name)
      if (text === undefined) return undefined
      const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN
      if (number >= least && number <= most) return number
      faults.push(`${name} must be a whole number from ${least} to ${most}.`)
      return undefined
    },
    numbers(name: string): readonly number[] {
      const texts = query.getAll(name).flatMap((list) => list.split(','))
      if (texts.length <= maxParts && texts.every((text) => /^[1-9]\d{0,14}$/.test(text))) {
        return [...new Set(texts.map(Number))].sort((a, b) => a - b)
      }
      faults.push(`${name} must be 1 to ${maxParts} numbers with commas between, like ${name}=2,5.`)
      return []
    },
    /** The first word where there is none. */
    oneOf<T extends string>(name: string, words: readonly [T, ...T[]]): T {
      const text = once(name) ?? words[0]
      const word = words.find((known) => known === text)
      if (word === undefined) faults.push(`${name} must be ${words.join(' or ')}.`)
      return word ?? words[0]
    },
    reading<T>(options: T): OptionsReading<T> {
      const [reason] = faults
      return reason === undefined ? { ok: true, options } : { ok: false, reason }
    },
  }
}
