import { accentType } from '../feeds/identity.ts'
import { boardEntries, isCalendar, type Feed } from '../feeds/feed.ts'
import { readOptions, type ValuesOf } from '../options/option.ts'
import { oneOf, text, wholeNumber } from '../options/value-types.ts'
import { readSiteMonth } from '../records/site-month.ts'
import { BadOption, validOptions } from './errors.ts'

export const allLayouts = ['list', 'cards', 'month'] as const

type EmbedLayout = (typeof allLayouts)[number]

/** Content of an embed: one feed, or all calendars together. */
export type Embed = {
  readonly id: string
  /** Undefined for all calendars. */
  readonly feed: Feed | undefined
  /** The first layout is the default. */
  readonly layouts: readonly EmbedLayout[]
  readonly defaultLimit: number
}

export type EmbedOptions = ValuesOf<ReturnType<typeof embedOptionsFor>>

const themes = ['auto', 'light', 'dark', 'device'] as const

const withoutEffect: Readonly<Record<EmbedLayout, readonly string[]>> = {
  list: ['month'],
  cards: ['month'],
  month: ['limit', 'past', 'future'],
}

export function embedPaths(feeds: readonly Feed[]): readonly string[] {
  return embedsOf(feeds).map(({ id }) => `/embed/${id}`)
}

export function embedsOf(feeds: readonly Feed[]): readonly Embed[] {
  const all: readonly Embed[] = [
    { id: 'next', feed: undefined, layouts: ['list', 'cards'], defaultLimit: 1 },
    { id: 'month', feed: undefined, layouts: ['month'], defaultLimit: 1 },
  ]
  return [
    ...feeds.map((feed): Embed => ({
      id: feed.id,
      feed,
      layouts: isCalendar(feed) ? ['list', 'cards', 'month'] : ['list', 'cards'],
      defaultLimit: 5,
    })),
    ...(feeds.some(isCalendar) ? all : []),
  ]
}

export function embedOptionsFor({ layouts, defaultLimit }: Embed) {
  return {
    limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: defaultLimit },
    layout: { name: 'layout', type: oneOf(layouts), defaultValue: layouts[0] ?? 'list' },
    theme: { name: 'theme', type: oneOf(themes), defaultValue: 'auto' },
    accent: { name: 'accent', type: accentType, defaultValue: undefined },
    font: { name: 'font', type: oneOf(['system', 'inherit']), defaultValue: 'system' },
    month: {
      name: 'month',
      type: text(readSiteMonth, 'a year and a number, like month=2026-11'),
      defaultValue: undefined,
    },
  }
}

/** Throws `BadOption` for invalid values and for options that have no effect. */
export function readEmbedOptions(embed: Embed, query: URLSearchParams): EmbedOptions {
  const { values } = validOptions(readOptions(embedOptionsFor(embed), query))
  const unused = withoutEffect[values.layout].find((name) => query.has(name))
  if (unused === undefined) return values
  throw new BadOption(`${unused} has no effect with layout=${values.layout}. Leave it out.`)
}
