import {
  memberKey,
  type DuplicateGroups,
  type DuplicateRecord,
} from '../calendar/duplicate-groups.ts'
import { noCalendarOptions, type CalendarOptions } from '../calendar/calendar-options.ts'
import type { ReportedChange } from '../calendar/reported-changes.ts'
import type { ChosenOptions } from '../options/option.ts'
import { isOnline } from '../records/fields.ts'
import { joinedSentences } from '../text/text.ts'
import { filterOptions } from '../search/search-options.ts'
import { foldText, isAt, rankIn, titleWithSearch, type SearchFilter } from '../search/search.ts'
import { tagUri, urlOfPart } from '../syndication/channel.ts'
import { itemDefaults, type FeedItem, type ItemDraft } from '../syndication/feed-item.ts'
import { escapeHtml } from '../text/html.ts'
import { itemOptions, noItemOptions } from '../syndication/item-options.ts'
import { itemUrl, type Feed, type PageContext, type ShownSource, type ServedFeed } from './feed.ts'
import { newsFormats } from './formats.ts'
import { textIn } from './messages.ts'
import { channelLinks, renderItems } from './news-feed.ts'
import type { Site } from './site.ts'

/** Two feeds are read at different times, so they show the same change at different times. */
const sameChangeMs = 24 * 60 * 60 * 1000

const allDays = { from: '0001-01-01', to: '9999-12-31' }

export type FeedChange = ReportedChange & {
  readonly feed: Feed
  /** True if the website still shows the record. */
  readonly isShown: boolean
}

type IsChosen = (feed: Feed, part: number | undefined) => boolean

/**
 * Returns the changes in these feeds, in no particular order. A change to an entry that another feed
 * repeats appears once, and an event that another feed still has is not canceled. `isChosen` returns
 * true for the calendars and rental types to include.
 */
export function changesOf(
  sources: readonly ShownSource[],
  site: Site,
  duplicates: DuplicateGroups = [],
  isChosen: IsChosen = () => true,
): readonly FeedChange[] {
  const membersOf = membersIn(duplicates, sources, isChosen)
  const all = sources.flatMap(({ feed, source }) => {
    const online = new Set(source.records.filter(isOnline).map(({ id }) => id))
    const isHidden = ({ kind, recordId }: ReportedChange) =>
      isToldByOthers(kind, keyOf(feed, recordId), membersOf)
    return (feed.changes?.(source, site, isHidden) ?? [])
      .filter(({ part }) => isChosen(feed, part))
      .map((change): FeedChange => ({ ...change, feed, isShown: online.has(change.recordId) }))
  })
  const told: FeedChange[] = []
  const times = createTimes()
  // Original feeds come before feeds that repeat them, so the kept copy of a change is the
  // original.
  const repeats = ({ feed }: FeedChange) => (feed.repeats === undefined ? 0 : 1)
  for (const change of all.toSorted((a, b) => repeats(a) - repeats(b))) {
    const { feed, text, since } = change
    const [group] = membersOf.get(keyOf(feed, change.recordId)) ?? []
    const inGroup = group ? [`${memberKey(group)}: ${text}`] : []
    const elsewhere = feed.repeats === undefined ? [] : [`${feed.repeats}: ${text}`]
    if ([...elsewhere, ...inGroup].some((key) => times.hasNear(key, since))) continue
    told.push(change)
    for (const key of [`${feed.id}: ${text}`, ...inGroup]) times.add(key, since)
  }
  return told
}

const dayOf = (time: number) => Math.floor(time / sameChangeMs)

/** Remembers times by key and by day, so that looking up nearby times is quick. */
function createTimes() {
  const byDay = new Map<string, { readonly first: number; readonly last: number }>()
  const timesOn = (day: number, key: string) => byDay.get(`${day} ${key}`)
  return {
    add(key: string, time: number): void {
      const { first = time, last = time } = timesOn(dayOf(time), key) ?? {}
      const times = { first: Math.min(first, time), last: Math.max(last, time) }
      byDay.set(`${dayOf(time)} ${key}`, times)
    },
    hasNear(key: string, time: number): boolean {
      const day = dayOf(time)
      const { last = -Infinity } = timesOn(day - 1, key) ?? {}
      const { first = Infinity } = timesOn(day + 1, key) ?? {}
      const isSameDay = timesOn(day, key) !== undefined
      return isSameDay || time - last < sameChangeMs || first - time < sameChangeMs
    },
  }
}

/**
 * Returns the ids of records that match a search, including canceled ones, or undefined without a
 * search.
 */
export function recordsFound(
  { feed, source }: ShownSource,
  filter: ChosenOptions | undefined,
  context: PageContext,
): ReadonlySet<number> | undefined {
  if (!filter?.hasText || !feed.listed) return undefined
  const { search, place }: CalendarOptions = { ...noCalendarOptions, ...filter.values }
  const range = { ...allDays, parts: [], search, place, cancelled: 'mark' } as const
  return new Set(feed.listed(source, range, context).map(({ recordId }) => recordId))
}

type Members = readonly DuplicateRecord[]

type MembersOf = ReadonlyMap<string, Members>

/** Returns the chosen members of each record's group, by the key of the record. */
export function membersIn(
  duplicates: DuplicateGroups,
  sources: readonly ShownSource[],
  isChosen: IsChosen,
): MembersOf {
  const feedOf = new Map(sources.map(({ feed }) => [feed.resource, feed]))
  return new Map(
    duplicates.flatMap((group) => {
      const members = group.filter(({ resource, partId, state }) => {
        const feed = feedOf.get(resource)
        return feed && state !== 'separate' && isChosen(feed, partId)
      })
      return members.map((member) => [memberKey(member), members] as const)
    }),
  )
}

/** Returns true for a new or canceled entry for an event that another feed already had or still has. */
function isToldByOthers(kind: ReportedChange['kind'], key: string, membersOf: MembersOf): boolean {
  const members = membersOf.get(key) ?? []
  const position = members.findIndex((member) => memberKey(member) === key)
  const own = members[position]
  if (!own) return false
  if (kind === 'new') return members.slice(0, position).some(({ state }) => state === 'listed')
  return (
    kind === 'canceled' &&
    members.some(
      ({ state, changedAt }, index) =>
        state === 'listed' ||
        changedAt > own.changedAt ||
        (changedAt === own.changedAt && index < position),
    )
  )
}

function keyOf({ resource }: Feed, recordId: number): string {
  return memberKey({ resource, id: recordId })
}

/** Changes in the calendars that the viewer may read. */
export const changes: ServedFeed = {
  id: 'changes',
  textIn: textIn('changes'),
  formats: newsFormats,
  isForEveryone: true,
  options: () => ({ ...filterOptions, limit: itemOptions.limit }),
  sourcesFrom: (readable) => readable.filter((feed) => 'changes' in feed),
  *render(sources, request, { site }) {
    const { duplicates, chosen } = request
    const options = { ...noItemOptions, place: '', ...chosen.values }
    const all = changesOf(sources, site, duplicates?.())
    yield
    const drafts = all
      .filter((change) => isFound(change, options, site.language))
      .map((change) => draftOf(change, site))
    const { title, summary: description } = changes.textIn(site.language)
    const channel = {
      ...channelLinks(changes, request, site),
      title: titleWithSearch(title, options),
      description,
      updatedAt: Math.max(...sources.map(({ source }) => source.changedAt)),
    }
    return renderItems(drafts, channel, request, options, site)
  },
}

/** Returns true if the text of a change's item matches a search, and the entry is or was at a place. */
function isFound(
  { feed, text, details, places }: FeedChange,
  { search, place }: Required<SearchFilter>,
  language: string,
): boolean {
  const texts = [text, feed.textIn(language).title, ...details]
  return (
    places.some((each) => isAt(foldText(each), place)) &&
    rankIn(texts.map(foldText), search) !== undefined
  )
}

/**
 * Returns the draft of an item that appears once the change is final, because most readers never
 * show a correction.
 */
function draftOf({ feed, isShown, ...change }: FeedChange, site: Site): ItemDraft {
  const { recordId, text, details, expiresAt, finalAt: publishedAt } = change
  const make = (): FeedItem => ({
    ...itemDefaults,
    title: text,
    summary: joinedSentences(details),
    contentHtml: [`${text}.`, ...details].map((each) => `<p>${escapeHtml(each)}</p>`).join('\n'),
    id: tagUri(site.idHost, `${changes.id}-${feed.id}-${change.id}`),
    recordId,
    // On a static host, only entries that the website shows have a page.
    url:
      isShown || !site.isStatic
        ? urlOfPart(itemUrl(feed.id, recordId, site), `change-${change.id}`)
        : `${site.url}/#${feed.id}-${change.id}`,
    category: feed.textIn(site.language).title,
    publishedAt,
    updatedAt: publishedAt,
    expiresAt,
  })
  return { recordId, publishedAt, expiresAt, order: publishedAt, title: () => text, make }
}
