import type { CombinedCalendarOptions } from '../feeds/combined-calendar.ts'
import type { FeedPart, Feed, ServedFeed } from '../feeds/feed.ts'
import {
  orOwnOnly,
  ownOnly,
  sourceList,
  textFrom,
  tokenFrom,
  type SourceChoice,
} from '../feeds/source-list.ts'
import { sourceOfPart } from '../feeds/source-color.ts'
import type { LinkChoice } from '../links/feed-link.ts'
import { readOptions } from '../options/option.ts'
import type { FormReading } from './forms.ts'
import { validOptions } from './errors.ts'
import { pageMessages } from './messages.ts'

/* Calendars that people choose: feeds, and the calendars in a feed. */

export type Chip = {
  /** Value for a list of feeds, like `events` or `calendar:3`. */
  readonly value: string
  readonly feedId: string
  /** Undefined for a chip that represents a whole feed. */
  readonly part: number | undefined
  /** Name of its color. */
  readonly source: string
  readonly label: string
  readonly isChosen: boolean
}

type NamedPart = { readonly id: number; readonly name: string }

type FeedWithParts = { readonly feed: Feed; readonly parts: readonly FeedPart[] }

export type EntryFilter = {
  /** The feeds to show, with the ids of their parts. An empty list of parts means all of them. */
  readonly chosen: readonly SourceChoice[]
  readonly show: string
  readonly chips: readonly (Chip & { readonly show: string })[]
}

/** An invalid form is shown again with the same selection. */
export type ChoiceReading = { readonly choice: LinkChoice } & FormReading<unknown>

/** A link's combined feed, for a form that selects its content. */
export type ChoiceContext = {
  readonly feed: ServedFeed
  /** True if the calendar has a member's own entries, even if no feed is selected. */
  readonly isForMember?: boolean
  readonly language: string
}

/** A feed with more calendars has a single chip. People can select its calendars on `/feeds`. */
const maxPartChips = 12

const ownChip = { value: ownOnly, feedId: ownOnly, source: ownOnly, part: undefined }

const allChip = { value: '', feedId: 'all', source: 'all', part: undefined, show: '' }

const isBookings = ({ boardRole }: Feed) => boardRole === 'bookings'

/**
 * Returns the chips for feeds. If nothing is selected, all are, except for bookings on the public
 * page, which would show up as busy time.
 */
export function chipsFor(
  feeds: readonly Feed[],
  partsOf: (feed: Feed) => readonly FeedPart[],
  show: readonly SourceChoice[] | undefined,
  { isPublic, language }: { readonly isPublic: boolean; readonly language: string },
): readonly Chip[] {
  return feeds.flatMap((feed) => {
    const numbers = show?.find(({ feedId }) => feedId === feed.id)?.parts ?? []
    const all = feed.boardRole === 'agenda' ? partsWithChosen(partsOf(feed), numbers, language) : []
    const only = all.length === 1 ? all[0]?.name : undefined
    const { title, label = title } = feed.textIn(language)
    const isDefault = !(isPublic && isBookings(feed)) || feeds.every(isBookings)
    return chipsOf(feed, all, only ?? label, show, isDefault)
  })
}

/** Returns a chip for each part of a feed, or one for the feed if it has no or too many parts. */
function chipsOf(
  { id: feedId }: Feed,
  parts: readonly NamedPart[],
  label: string,
  show: readonly SourceChoice[] | undefined,
  isDefault = true,
): readonly Chip[] {
  const choice = show?.find((each) => each.feedId === feedId)
  const isFeedChosen = show ? choice !== undefined : isDefault
  const numbers = choice?.parts ?? []
  if (parts.length < 2 || parts.length > maxPartChips) {
    const source = parts.length === 1 && parts[0] ? sourceOfPart(feedId, parts[0].id) : feedId
    return [{ value: feedId, feedId, part: undefined, source, label, isChosen: isFeedChosen }]
  }
  return parts.map(({ id, name }) => ({
    value: textFrom(feedId, [id]),
    feedId,
    part: id,
    source: sourceOfPart(feedId, id),
    label: name,
    isChosen: isFeedChosen && (numbers.length === 0 || numbers.includes(id)),
  }))
}

/**
 * Reads the feeds and calendars to show from the option `show`, which combined calendars also have.
 * Each chip has the value that `show` would have after adding or removing it. The value is empty if
 * everything is shown. In that case, only the first chip is chosen, and each of the others shows
 * nothing else. Throws `BadOption` for an invalid value.
 */
export function readEntryFilter(
  filtered: readonly FeedWithParts[],
  query: URLSearchParams,
  { hasOwn = false, language }: { readonly hasOwn?: boolean; readonly language: string },
): EntryFilter {
  const messages = pageMessages(language).entries
  const feeds = filtered.map(({ feed }) => feed)
  const list = sourceList(feeds, 'ics')
  const type = hasOwn ? orOwnOnly(list) : list
  const options = { show: { name: 'show', type, defaultValue: undefined } }
  const { show } = validOptions(readOptions(options, query)).values
  const isOwnOnly = show?.length === 0
  const shown = filtered.flatMap(({ feed, parts }) =>
    chipsOf(feed, parts, feed.textIn(language).title, show),
  )
  const showOf = (selected: readonly Chip[]) => {
    const { list, isEverything } = showFrom(selected, show)
    return isEverything ? '' : list
  }
  const current = isOwnOnly ? ownOnly : showOf(shown)
  const isAll = current === ''
  const chips = isAll ? shown.map((chip) => ({ ...chip, isChosen: false })) : shown
  const ownShow = isOwnOnly ? '' : ownOnly
  const own = { ...ownChip, label: messages.onlyMine, isChosen: isOwnOnly, show: ownShow }
  return {
    chosen: show ?? feeds.map(({ id }) => ({ feedId: id, parts: [] })),
    show: current,
    chips: [
      { ...allChip, label: messages.all, isChosen: isAll },
      ...(hasOwn ? [own] : []),
      ...chips.map((chip) => {
        const toggled = { ...chip, isChosen: !chip.isChosen }
        return { ...chip, show: showOf(chips.map((each) => (each === chip ? toggled : each))) }
      }),
    ],
  }
}

/** Returns the chips. Those listed in a form or URL are selected. */
export function withChosen(chips: readonly Chip[], values: readonly string[]): readonly Chip[] {
  const tokens = values.flatMap((list) => list.split(',')).map(tokenFrom)
  return chips.map((chip) => ({
    ...chip,
    isChosen: tokens.some(
      ({ feedId, numbers }) =>
        feedId === chip.feedId &&
        (!numbers || chip.part === undefined || numbers.includes(String(chip.part))),
    ),
  }))
}

/** Returns the option `show` for the chips. A feed with one chip keeps its parts in `before`. */
export function showFrom(chips: readonly Chip[], before?: readonly SourceChoice[]) {
  const groups = [...Map.groupBy(chips, ({ feedId }) => feedId)]
  const tokens = groups.flatMap(([feedId, group]) => {
    const chosen = group.filter(({ isChosen }) => isChosen)
    if (chosen.length === 0) return []
    if (group.length === 1) {
      const parts = before?.find((choice) => choice.feedId === feedId)?.parts ?? []
      return [textFrom(feedId, parts)]
    }
    const isAll = chosen.length === group.length
    return [textFrom(feedId, isAll ? [] : chosen.flatMap(({ part }) => part ?? []))]
  })
  const isEverything =
    tokens.length === groups.length && tokens.every((token) => !token.includes(':'))
  return { list: tokens.join(','), isEverything }
}

export function showIn(feed: ServedFeed, choice: LinkChoice | undefined) {
  const reading = readOptions(feed.options('ics'), new URLSearchParams(choice?.calendar))
  const values = (reading.ok ? reading.chosen.values : {}) as Partial<CombinedCalendarOptions>
  return values.show
}

/** Returns a link's selection with the chips in a form. Its other options do not change. */
export function choiceWithChips(
  { feed, isForMember, language }: ChoiceContext,
  chips: readonly Chip[],
  posted: URLSearchParams,
  before: LinkChoice,
): ChoiceReading {
  const sent = new URLSearchParams(before.calendar)
  sent.delete('show')
  const chosen = withChosen(chips, posted.getAll('show'))
  const { list, isEverything } = showFrom(chosen, showIn(feed, before))
  if (list === '' && !isForMember) {
    const { noneChosen } = pageMessages(language).follow.common
    return { ok: false, faults: [noneChosen], choice: before }
  }
  // All feeds, including feeds that are added to the link later.
  if (!isEverything) sent.set('show', list === '' ? ownOnly : list)
  const reading = readOptions(feed.options('ics'), sent)
  return reading.ok
    ? { ok: true, choice: { ...before, calendar: reading.chosen.query } }
    : { ok: false, faults: [reading.reason], choice: before }
}

/** Returns a feed's parts, including selected parts that currently have no entries. */
export function partsWithChosen(
  parts: readonly NamedPart[],
  chosen: readonly number[],
  language: string,
) {
  const { withoutEntries } = pageMessages(language).follow.common
  const unknown = chosen.filter((id) => !parts.some((part) => part.id === id))
  return [...parts, ...unknown.map((id) => ({ id, name: withoutEntries(id) }))]
}
