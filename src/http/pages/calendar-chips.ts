import type { CombinedCalendarOptions } from '../../feeds/combined-calendar.ts'
import type { CombinedFeed } from '../../feeds/combined-feed.ts'
import { readFeedOptions } from '../../feeds/feed-options.ts'
import type { FeedPart } from '../../feeds/feed-overview.ts'
import type { Feed } from '../../feeds/feed.ts'
import { textFrom, tokenFrom, type SourceChoice } from '../../feeds/source-list.ts'
import type { LinkChoice } from '../../links/feed-link.ts'
import type { ChoiceReading } from './choice-form.ts'

/* The calendars that people choose on the home page: feeds, and the calendars in a feed. */

export type Chip = {
  /** Value for a list of feeds, like `events` or `calendar:3`. */
  readonly value: string
  readonly feedId: string
  /** Undefined for a chip that stands for a whole feed. */
  readonly part: number | undefined
  readonly label: string
  readonly isChosen: boolean
}

export const noneChosenText = 'Choose at least one calendar.'

/** A feed with more calendars has a single chip. People choose among its calendars on `/feeds`. */
const maxPartChips = 12

const isBookings = ({ boardRole }: Feed) => boardRole === 'bookings'

/**
 * Returns the chips for calendar feeds. Without a choice, all of them are chosen, except bookings on the
 * public page, which would block the time of people who follow events.
 */
export function chipsFor(
  feeds: readonly Feed[],
  {
    partsOf,
    show,
    isPublic,
  }: {
    readonly partsOf: (feed: Feed) => readonly FeedPart[]
    readonly show: readonly SourceChoice[] | undefined
    readonly isPublic: boolean
  },
): readonly Chip[] {
  const isChosenByDefault = (feed: Feed) =>
    !(isPublic && isBookings(feed)) || feeds.every(isBookings)
  return feeds.flatMap((feed): readonly Chip[] => {
    const choice = show?.find(({ feedId }) => feedId === feed.id)
    const isFeedChosen = show ? choice !== undefined : isChosenByDefault(feed)
    const numbers = choice?.parts ?? []
    const { id: feedId } = feed
    const parts = partsWithChips(partsOf(feed), numbers)
    const isDivided = feed.boardRole === 'agenda' && parts.length <= maxPartChips
    const [only, second] = isDivided ? parts : []
    if (!second) {
      const label = only?.name ?? feed.marker?.label ?? feed.title
      return [{ value: feedId, feedId, part: undefined, label, isChosen: isFeedChosen }]
    }
    return parts.map(({ id, name }) => ({
      value: textFrom(feedId, [id]),
      feedId,
      part: id,
      label: name,
      isChosen: isFeedChosen && (numbers.length === 0 || numbers.includes(id)),
    }))
  })
}

/** Returns the chips with those chosen that a form or an address lists. */
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

/**
 * Returns the value of the option `show` for the chosen chips. A feed with a single chip keeps the parts in
 * `before`, which people choose on `/feeds`.
 */
export function showFrom(
  chips: readonly Chip[],
  before?: readonly SourceChoice[],
): { readonly list: string; readonly isEverything: boolean } {
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

/** Returns the feeds in a link's saved choice; undefined for all. */
export function showIn(
  feed: CombinedFeed,
  choice: LinkChoice | undefined,
): readonly SourceChoice[] | undefined {
  const reading = readFeedOptions(feed, 'ics', new URLSearchParams(choice?.calendar))
  const values = (reading.ok ? reading.chosen.values : {}) as Partial<CombinedCalendarOptions>
  return values.show
}

/** Returns a link's choice with the chips that a form lists. Its other options stay as they are. */
export function choiceWithChips(
  feed: CombinedFeed,
  chips: readonly Chip[],
  { posted, before }: { readonly posted: URLSearchParams; readonly before: LinkChoice },
): ChoiceReading {
  const chosen = withChosen(chips, posted.getAll('show'))
  const sent = new URLSearchParams(before.calendar)
  sent.delete('show')
  const { list, isEverything } = showFrom(chosen, showIn(feed, before))
  if (!chosen.some(({ isChosen }) => isChosen))
    return { ok: false, faults: [noneChosenText], choice: before }
  // All feeds, including feeds that are added to the link later.
  if (!isEverything) sent.set('show', list)
  const reading = readFeedOptions(feed, 'ics', sent)
  return reading.ok
    ? { ok: true, choice: { ...before, calendar: reading.chosen.query } }
    : { ok: false, faults: [reading.reason], choice: before }
}

/** Returns the parts of a feed, and chosen parts that have no entries now. */
function partsWithChips(
  parts: readonly FeedPart[],
  numbers: readonly number[],
): readonly Pick<FeedPart, 'id' | 'name'>[] {
  const unknown = numbers.filter((id) => !parts.some((part) => part.id === id))
  return [...parts, ...unknown.map((id) => ({ id, name: `Number ${id}, without entries now` }))]
}
