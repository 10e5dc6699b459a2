import { maxAlarmMinutes } from '../calendar/calendar-options.ts'
import { maxAlarms } from '../calendar/reminders.ts'
import type { FeedOption, OptionValues, ValueType } from '../options/option.ts'
import { ids, wholeNumbers } from '../options/value-types.ts'
import { listInWords } from '../text/text.ts'
import type { AboutCombinedFeed } from './combined-feed.ts'
import type { Feed } from './feed.ts'
import type { FeedFormat } from './formats.ts'

/*
 * Values of options that list feeds: `events,calendar:3.4` means all events, and calendars 3 and 4. The
 * numbers after a feed belong to that feed.
 */

/** A feed to show, and the ids of its parts. An empty list means all of them. */
export type SourceChoice = { readonly feedId: string; readonly parts: readonly number[] }

const maxSources = 20

/** Maximum number of single entries in a calendar. The script of the pages has the same number. */
export const maxEntries = 50

/** Maximum length of the part of an invalid list that a message repeats. */
const maxQuoted = 30

export function partKeyOf(feed: Feed, format: FeedFormat): string | undefined {
  return Object.entries(feed.options(format)).find(([, { type }]) => type === ids)?.[0]
}

/** Returns the ids of the parts that options select. An empty list means all of them. */
export function partsIn(feed: Feed, format: FeedFormat, values: OptionValues): readonly number[] {
  const parts = values[partKeyOf(feed, format) ?? '']
  return Array.isArray(parts) ? parts.map(Number) : []
}

/** Creates a value type for lists of these feeds, each with the parts to show. */
export function sourceList(
  feeds: readonly Feed[],
  format: FeedFormat,
): ValueType<readonly SourceChoice[]> {
  const feedIds = feeds.map(({ id }) => id)
  const withParts = feeds.filter((feed) => partKeyOf(feed, format)).map(({ id }) => id)
  const example = [...withParts.slice(0, 1).map((id) => `${id}:3`), ...feedIds.slice(1, 2)]

  function faultIn(texts: readonly string[]): string | undefined {
    if (texts.length > maxSources) return `a list of at most ${maxSources} feeds`
    for (const [index, text] of texts.entries()) {
      const { feedId, numbers } = tokenFrom(text)
      const quoted = quote(text)
      if (!feedIds.includes(feedId))
        return `a list of the feeds ${listInWords(feedIds)}, and ${quoted} is not one of them`
      if (texts.slice(0, index).some((other) => tokenFrom(other).feedId === feedId))
        return `a list that names each feed once, and it names ${feedId} more than once`
      if (numbers && !withParts.includes(feedId))
        return `a list without numbers after ${feedId}, which has no parts to choose`
      if (numbers && !ids.read(numbers))
        return `a list like ${example.join(',')}, with numbers after a colon, and ${quoted} has no valid numbers`
    }
    return undefined
  }

  return {
    isList: true,
    read(texts) {
      if (faultIn(texts) !== undefined) return undefined
      const choices = new Map(
        texts.map(tokenFrom).map(({ feedId, numbers }) => [feedId, numbers && ids.read(numbers)]),
      )
      return feedIds.flatMap((feedId) =>
        choices.has(feedId) ? [{ feedId, parts: choices.get(feedId) ?? [] }] : [],
      )
    },
    format: (choices) => choices.map(({ feedId, parts }) => textFrom(feedId, parts)).join(','),
    expected: (_name, texts) => faultIn(texts) ?? 'a list of feeds',
  }
}

/** Creates a value type for lists of single entries of these feeds, like `events-12,signup-3`. */
export function entryList(feeds: readonly Feed[]): ValueType<readonly SourceChoice[]> {
  const feedIds = feeds.map(({ id }) => id)
  return {
    isList: true,
    read(texts) {
      const found = texts.map((text) => /^([a-z][a-z\d-]*)-([1-9]\d{0,14})$/.exec(text) ?? [])
      const isValid = found.every(([, id = '']) => feedIds.includes(id))
      if (!isValid || texts.length > maxEntries) return undefined
      return feedIds.flatMap((feedId) => {
        const own = found.filter(([, id]) => id === feedId).map(([, , number]) => Number(number))
        const parts = [...new Set(own)].toSorted((a, b) => a - b)
        return parts.length === 0 ? [] : [{ feedId, parts }]
      })
    },
    format: (choices) =>
      choices.flatMap(({ feedId, parts }) => parts.map((id) => `${feedId}-${id}`)).join(','),
    expected: (name) => `1 to ${maxEntries} entries, like ${name}=events-12,signup-3`,
  }
}

/** Stands for no feeds: what a member reads then has only the member's own entries. */
export const ownOnly = 'personal'

/** Adds `personal`, which means an empty list, to the lists of feeds. */
export function orOwnOnly(
  type: ValueType<readonly SourceChoice[]>,
): ValueType<readonly SourceChoice[]> {
  return {
    ...type,
    read: (texts) => (texts.join() === ownOnly ? [] : type.read(texts)),
    format: (choices) => (choices.length === 0 ? ownOnly : type.format(choices)),
  }
}

/**
 * Creates an option that chooses feeds that have a format. Messages mention only the feeds in
 * `offered`. Without `isForEveryone`, it can also choose only personal entries.
 */
export function showOption(
  feeds: readonly Feed[],
  offered: readonly Feed[],
  format: FeedFormat,
  { isForEveryone }: AboutCombinedFeed,
): FeedOption<readonly SourceChoice[] | undefined> {
  const messages = sourceList(offered, format)
  const type: typeof messages = {
    ...sourceList(feeds, format),
    expected: (name, texts) => messages.expected(name, texts),
  }
  return {
    name: 'show',
    type: isForEveryone ? type : orOwnOnly(type),
    defaultValue: undefined,
    selectsRecords: true,
  }
}

/** A feed in a list, with the numbers after its colon, if it has one. */
export type Token = { readonly feedId: string; readonly numbers: readonly string[] | undefined }

export function tokenFrom(text: string): Token {
  const [feedId = '', list] = text.split(/:(.*)/s)
  return { feedId, numbers: list?.split('.') }
}

export function textFrom(feedId: string, numbers: readonly number[]): string {
  return numbers.length === 0 ? feedId : `${feedId}:${numbers.join('.')}`
}

function quote(text: string): string {
  return `"${text.length > maxQuoted ? `${text.slice(0, maxQuoted)}…` : text}"`
}

/** Reminder times before the start, for all feeds and for single ones. */
type SourceAlarms = {
  readonly forAll: readonly number[]
  readonly byFeed: Readonly<Record<string, readonly number[]>>
}

/** Means no reminders: with `60,rental:none`, only rentals have none. */
const noneWord = 'none'

/** Creates a value type for reminder times, which may differ by feed. Messages name only `offered`. */
export function sourceAlarms(
  feeds: readonly Feed[],
  offered: readonly Feed[],
): ValueType<SourceAlarms> {
  const minutes = wholeNumbers(maxAlarmMinutes, maxAlarms, '')
  const feedIds = feeds.map(({ id }) => id)
  const offeredIds = offered.map(({ id }) => id)

  const readAll = (texts: readonly string[]): SourceAlarms | undefined => {
    const forAll = minutes.read(texts.filter((text) => !text.includes(':')))
    const tokens = texts.filter((text) => text.includes(':')).map(tokenFrom)
    const byFeed = new Map(
      tokens.map(({ feedId, numbers = [] }) => [
        feedId,
        String(numbers) === noneWord ? [] : minutes.read(numbers),
      ]),
    )
    const isValid =
      forAll &&
      byFeed.size === tokens.length &&
      [...byFeed].every(([feedId, read]) => feedIds.includes(feedId) && read)
    if (!isValid) return undefined
    const known = feedIds.flatMap((id) => {
      const read = byFeed.get(id)
      return read ? [[id, read] as const] : []
    })
    return { forAll, byFeed: Object.fromEntries(known) }
  }

  return {
    isList: true,
    read: readAll,
    format: ({ forAll, byFeed }) =>
      [
        ...forAll.map(String),
        ...Object.entries(byFeed).map(([feedId, numbers]) =>
          numbers.length === 0 ? `${feedId}:${noneWord}` : textFrom(feedId, numbers),
        ),
      ].join(','),
    expected: (name) =>
      `at most ${maxAlarms} whole numbers from 0 to ${maxAlarmMinutes}, and at most as many after each of ${listInWords(offeredIds)}, like ${name}=60,${offeredIds[0]}:30.1440`,
  }
}
