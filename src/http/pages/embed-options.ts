import { accentType } from '../../feeds/accent-color.ts'
import { boardEntries } from '../../feeds/feed-overview.ts'
import type { Feed } from '../../feeds/feed.ts'
import { readOptions, type OptionSet } from '../../options/option.ts'
import { oneOf, text, wholeNumber } from '../../options/value-types.ts'
import { readSiteMonth, type SiteMonth } from '../../records/month-grid.ts'
import { BadOption } from '../server/errors.ts'

export type EmbedLayout = 'list' | 'cards' | 'month'

/** What an embed shows: one feed, or all calendars together. */
export type Embed = {
  /** Last part of the path. */
  readonly id: string
  /** Undefined for all calendars. */
  readonly feed: Feed | undefined
  /** The first layout is the default. */
  readonly layouts: readonly EmbedLayout[]
  readonly defaultLimit: number
}

export type EmbedOptions = {
  /** Maximum number of entries. */
  readonly limit: number
  readonly theme: 'auto' | 'light' | 'dark'
  /** Six lowercase hex digits; undefined for the site's color. */
  readonly accent: string | undefined
  readonly font: 'system' | 'inherit'
  readonly layout: EmbedLayout
  /** Undefined for the current month. */
  readonly month: SiteMonth | undefined
}

export const themes = ['auto', 'light', 'dark'] as const

/** Options that would do nothing in a layout. */
const withoutEffect: Readonly<Record<EmbedLayout, readonly string[]>> = {
  list: ['month'],
  cards: ['month'],
  month: ['limit', 'past', 'future'],
}

const isCalendar = ({ formats }: Feed) => formats.includes('ics')

/** Returns the paths of embeds on a static host. */
export function embedPaths(feeds: readonly Feed[]): readonly string[] {
  return embedsOf(feeds).map(({ id }) => `/embed/${id}`)
}

/** Returns the embeds of feeds, and those of all calendars if there are any. */
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

export function embedOptionsFor({ layouts, defaultLimit }: Embed): OptionSet<EmbedOptions> {
  return {
    limit: { name: 'limit', type: wholeNumber(1, boardEntries), defaultValue: defaultLimit },
    theme: { name: 'theme', type: oneOf(themes), defaultValue: 'auto' },
    accent: { name: 'accent', type: accentType, defaultValue: undefined },
    font: { name: 'font', type: oneOf(['system', 'inherit']), defaultValue: 'system' },
    layout: { name: 'layout', type: oneOf(layouts), defaultValue: layouts[0] ?? 'list' },
    month: {
      name: 'month',
      type: text(readSiteMonth, { expected: 'a year and a number, like month=2026-11' }),
      defaultValue: undefined,
    },
  }
}

/** Reads an embed's own options. Throws `BadOption` for invalid values and for options without effect. */
export function readEmbedOptions(embed: Embed, query: URLSearchParams): EmbedOptions {
  const reading = readOptions(embedOptionsFor(embed), query)
  if (!reading.ok) throw new BadOption(reading.reason)
  const { values } = reading.chosen
  const unused = withoutEffect[values.layout].find((name) => query.has(name))
  if (unused === undefined) return values
  throw new BadOption(`${unused} has no effect with layout=${values.layout}. Leave it out.`)
}
