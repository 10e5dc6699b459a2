import type { Request, Response } from 'express'
import { hourMs } from '../../clock.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import { sourcesOf } from '../../feeds/combined-feed.ts'
import { changesOf, recordsFound, type FeedChange } from '../../feeds/changes.ts'
import type { Feed, PageContext, ShownSource } from '../../feeds/feed.ts'
import { listPartOptions } from '../../feeds/feed-options.ts'
import { linkNotice, type LinkNotice } from '../../feeds/link-notice.ts'
import type { DuplicateGroups } from '../../feeds/duplicates.ts'
import type { Site } from '../../feeds/site.ts'
import { longDayInWords } from '../../records/date-words.ts'
import { spokenLanguage } from '../../records/messages.ts'
import {
  siteDateAt,
  siteTimeAt,
  zonedEndOf,
  zonedTimeFromSiteTime,
} from '../../records/site-time.ts'
import { joinedSentences } from '../../text/text.ts'
import { boardItem, boardOf, type BoardItem } from '../../signage/board-item.ts'
import { isDuty } from '../../signage/duty.ts'
import { contextIn, siteOf, type SiteContext } from '../../web/context.ts'
import { limitNewLists, readListFilters, type ListFilters } from '../../web/list-filters.ts'
import { noteUse, viewerFrom } from '../../web/viewer.ts'
import { PrivateFeed, Unavailable } from '../../web/errors.ts'
import { queryOf } from '../../web/urls.ts'
import { boardOptions, type BoardOptions } from './board-options.ts'
import { emergencyItem, isOnScreen } from '../../site/emergency-text.ts'
import { composerMessages } from './messages.ts'

/** How long a change is listed. */
const shownMs = 24 * hourMs

/** The options that select content. */
export type ContentOptions = Pick<BoardOptions, 'show' | 'limit' | 'hasChanges' | 'duty' | 'lang'>

export type BoardContent = {
  readonly items: readonly BoardItem[]
  /** When the oldest part was last read, in milliseconds since the epoch. */
  readonly readAt: number
  /** The longest read interval among the parts. */
  readonly intervalMs: number
  /** The site in the board's language. */
  readonly site: Site
}

/**
 * Selects a board's items, and lets scripts on any origin read them, except below feed links. Throws
 * `PrivateFeed` for a hidden feed.
 */
export async function boardContent(
  request: Request,
  response: Response,
  { show, limit, hasChanges, duty: dutyIds, lang }: ContentOptions,
): Promise<BoardContent> {
  const context = siteOf(response)
  const { catalog, duplicatesFor, pictures, emergency, clock } = context
  const { feeds } = catalog
  const { feeds: readable, profile, link, closed } = viewerFrom(response, 'feed')
  const translated = contextIn(context, spokenLanguage(lang))
  const { site, overviews, collections } = translated
  const query = queryOf(request.originalUrl)
  const filters = readListFilters(feeds, query, boardOptions)
  const now = clock.now()
  if (!link) allowReading(response)
  if (closed && link) {
    const notice = linkNotice(link.link, site, now)
    return { items: [noticeItem(notice, site)], readAt: now, intervalMs: 0, site }
  }
  if (link) noteUse(link, now, request.headers['user-agent'])
  const requested = feeds.filter(({ id }) => show.includes(id))
  const duty = dutyCalendars(feeds, dutyIds)
  const named = [...(query.has('show') ? requested : []), ...(duty ? [duty.feed] : [])]
  const missing = named.find((feed) => !readable.includes(feed))
  if (missing) throw new PrivateFeed(missing, link)
  const shown = requested.filter((feed) => readable.includes(feed))
  const shownFilters = new Map([...filters].filter(([feed]) => shown.includes(feed)))
  limitNewLists(translated, request, profile, shownFilters)
  if (duty) limitNewLists(translated, request, profile, new Map([[duty.feed, duty.chosen]]))
  const lists = [
    ...(duty ? [{ ...duty, select: dutyItems }] : []),
    ...shown.map((feed) => ({ feed, chosen: filters.get(feed), select: all })),
  ]
  // If no feed is readable, neither is an emergency text.
  const current = readable.length > 0 ? emergency.current() : undefined
  const text = current && isOnScreen(current, link?.link.id) ? current : undefined
  const { feedsUnavailable } = composerMessages(site.language)
  const reading = availableOf(lists, feedsUnavailable, async ({ feed, chosen, select }) => {
    const { board } = await overviews.read(feed, profile, chosen)
    return select(board).slice(0, limit)
  })
  const boards = await (text ? reading.catch(noneIfUnavailable) : reading)
  const duplicates = await duplicatesFor(profile)
  const sources = sourcesOf(shown, collections.copyOf)
  const changes = recentChanges(sources, { site, profile, now }, filters, duplicates)
  const listed = pictures.hosted(withDutyOnce(boards.flat(), feeds), context.site.publicUrl)
  const items = [
    ...(text ? [emergencyItem(text, site)] : []),
    ...withChangeTimes(listed, changes, site),
    ...(hasChanges ? changeItems(changes.slice(0, limit), site) : []),
  ]
  const used = duty ? [...shown, duty.feed] : shown
  return {
    items: items.map((item) => withOffsets(item, site)),
    ...boardAgeOf(used, context, clock.now()),
    site,
  }
}

/** Some signage players fetch boards from a different origin. */
function allowReading(response: Response): void {
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Cross-Origin-Resource-Policy', 'cross-origin')
}

const all = (items: readonly BoardItem[]) => items

/** Adds the times that programs need if they don't know the site's time zone. Keeps exact ones. */
function withOffsets(item: BoardItem, { timeZone }: Site): BoardItem {
  const { allDay, start, end } = item
  if (allDay) return item
  return {
    ...item,
    startAt: item.startAt ?? zonedTimeFromSiteTime(start, timeZone),
    endAt: item.endAt ?? (end === null ? null : zonedEndOf({ start, end }, timeZone)),
  }
}

/**
 * Returns results for all feeds that are not turned off. Rejects if every feed is turned off or any
 * other error occurs, so that screens keep their content instead of showing an empty board.
 */
async function availableOf<List, T>(
  lists: readonly List[],
  switchedOffText: string,
  read: (list: List) => Promise<T>,
): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(lists.map(read))
  const results = outcomes.filter((outcome) => outcome.status === 'fulfilled')
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const reasons: readonly unknown[] = failed.map(({ reason }) => reason)
  for (const reason of reasons) if (!isSwitchedOff(reason)) throw reason
  const first = reasons.find(isSwitchedOff)
  if (first && results.length === 0) {
    throw new Unavailable(switchedOffText, first.retryAfterMs, first)
  }
  return results.map(({ value }) => value)
}

/** An emergency text must reach screens even if there is nothing else to show. */
function noneIfUnavailable(error: unknown): readonly [] {
  if (error instanceof CollectionUnavailable || error instanceof Unavailable) return []
  throw error
}

function isSwitchedOff(error: unknown): error is CollectionUnavailable {
  return error instanceof CollectionUnavailable && error.kind === 'not allowed'
}

function boardAgeOf(shown: readonly Feed[], { collections }: SiteContext, now: number) {
  const states = collections
    .states()
    .filter(({ resource }) => shown.some((feed) => feed.resource === resource))
  const times = states.flatMap(({ kept }) => kept?.collection.fetchedAt ?? [])
  const intervals = states.map(({ intervalMs }) => intervalMs)
  return { readAt: Math.min(now, ...times), intervalMs: Math.max(0, ...intervals) }
}

function noticeItem({ id, title, screenText, since }: LinkNotice, site: Site): BoardItem {
  const start = siteTimeAt(since, site.timeZone)
  const item = { id, title, text: screenText, when: '', start, end: null }
  return boardItem({ ...item, kind: 'announcements', role: 'announcement' })
}

/** Returns changes from the last 24 hours in these feeds, newest first. */
export function recentChanges(
  sources: readonly ShownSource[],
  reader: PageContext,
  filters: ListFilters,
  duplicates: DuplicateGroups,
): readonly FeedChange[] {
  const { site, now } = reader
  /** Returns true for a change in one of the calendars or rental types in the URL, if any. */
  const isChosen = (feed: Feed, part = 0) => {
    const parts = filters.get(feed)?.values['parts']
    return !Array.isArray(parts) || parts.length === 0 || parts.includes(part)
  }
  const foundIn = new Map(
    sources.flatMap(({ feed, source }) => {
      const found = recordsFound({ feed, source }, filters.get(feed), reader)
      return found ? [[feed, found] as const] : []
    }),
  )
  return changesOf(sources, site, duplicates, isChosen)
    .filter(({ at }) => at <= now && now < at + shownMs)
    .filter(({ feed, recordIds }) => {
      const found = foundIn.get(feed)
      return !found || recordIds.some((id) => found.has(id))
    })
    .toSorted((a, b) => b.at - a.at || b.recordId - a.recordId)
}

export function changeItems(changes: readonly FeedChange[], { timeZone, language }: Site) {
  return changes.map(({ feed, id, text, details, at }) =>
    boardItem({
      id: `changes-${feed.id}-${id}`,
      kind: 'changes',
      role: 'changes',
      title: text,
      text: joinedSentences(details),
      category: feed.textIn(language).title,
      when: longDayInWords(siteDateAt(at, timeZone), undefined, language),
      start: siteTimeAt(at, timeZone),
      end: siteTimeAt(at + shownMs, timeZone),
    }),
  )
}

/** Adds each item's last change, except that it is new. `changes` is sorted latest first. */
function withChangeTimes(
  items: readonly BoardItem[],
  changes: readonly FeedChange[],
  { timeZone }: Site,
): readonly BoardItem[] {
  const times = new Map<string, string>()
  for (const { feed, recordIds, kind, at } of changes.toReversed()) {
    if (kind === 'new') continue
    for (const id of recordIds) times.set(`${feed.id}-${id}`, siteTimeAt(at, timeZone))
  }
  return items.map((item) => ({ ...item, changedAt: times.get(item.id) ?? null }))
}

/** Returns the feed with the duty calendars, and the options that select them. */
export function dutyCalendars(feeds: readonly Feed[], ids: readonly number[]) {
  if (ids.length === 0) return undefined
  const [found] = feeds.flatMap((feed) => {
    const chosen = listPartOptions(feed, { option: 'calendar', ids })
    return chosen ? [{ feed, chosen }] : []
  })
  return found
}

/** Returns the all-day entries, overnight entries and long shifts among the entries of duty calendars. */
export function dutyItems(items: readonly BoardItem[]): readonly BoardItem[] {
  return items.filter(isDuty).map((item) => ({ ...item, role: 'duty' }))
}

/** Merges the items of all feeds. Drops agenda items that are also duty items, even in another feed. */
export function withDutyOnce(items: readonly BoardItem[], feeds: readonly Feed[]) {
  const duty = items.filter(({ role }) => role === 'duty')
  const rest = items.filter(({ role }) => role !== 'duty')
  const others = rest.filter((item) => !duty.some((each) => isSame(each, item)))
  return [...duty, ...boardOf(others, feeds)]
}

function isSame(duty: BoardItem, { id, kind, role, title, start, allDay }: BoardItem): boolean {
  if (id === duty.id) return true
  // Entries from the same feed are never duplicates.
  if (role !== 'agenda' || kind === duty.kind) return false
  const hasTitle = title.toLowerCase() === duty.title.toLowerCase()
  return hasTitle && start === duty.start && allDay === duty.allDay
}
