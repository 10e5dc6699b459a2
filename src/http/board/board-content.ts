import type { Request, Response } from 'express'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import type { LinkNotice } from '../../feeds/link-notice.ts'
import { zonedTimeFromSiteTime } from '../../records/site-time.ts'
import { boardItem, type BoardItem } from '../../signage/board-item.ts'
import { siteTimeAt } from '../../signage/board-view.js'
import type { SiteContext } from '../context.ts'
import { noteUse, viewerFrom } from '../feeds/viewer.ts'
import { createListLimit, readListFilters } from '../feeds/list-filters.ts'
import { PrivateFeed, Unavailable } from '../responses/errors.ts'
import { queryOf } from '../server/urls.ts'
import { changeItems, recentChanges, withChangeTimes } from './board-changes.ts'
import { dutyCalendars, dutyItems, withDutyOnce } from './board-duty.ts'
import { boardOptions, type BoardOptions } from './board-options.ts'
import { emergencyItem } from './emergency-text.ts'

/** Shared caches revalidate as often as screens poll. */
const freshSeconds = 60

const switchedOffText =
  'The feeds on this board are currently unavailable. They come back automatically once the website provides them again.'

export type BoardContent = {
  readonly items: readonly BoardItem[]
  /** When the oldest part was last read, in milliseconds since the epoch. */
  readonly readAt: number
  /** The longest read interval among the parts. */
  readonly intervalMs: number
}

/**
 * Returns a function that selects the requested items and sets caching headers. It throws `PrivateFeed`
 * if the query names a feed that the client may not see.
 */
export function createBoardContent(context: SiteContext) {
  const { site, catalog, overviews, duplicateMemory, pictures, emergency, clock } = context
  const { feeds } = catalog
  const limitLists = createListLimit(context)

  return async (
    { originalUrl, headers, ip = '' }: Request,
    response: Response,
    { show, limit, hasChanges, duty: dutyIds }: BoardOptions,
  ): Promise<BoardContent> => {
    const { feeds: readable, profile, link, closed } = viewerFrom(response, 'feed')
    const query = queryOf(originalUrl)
    const filters = readListFilters(feeds, query, boardOptions)
    const now = clock.now()
    if (!link) setPublicHeaders(response)
    if (closed) return { items: [noticeItem(closed.notice, site)], readAt: now, intervalMs: 0 }
    if (link) noteUse(link, now, headers['user-agent'])
    const requested = feeds.filter(({ id }) => show.includes(id))
    const duty = dutyCalendars(feeds, dutyIds)
    const named = [...(query.has('show') ? requested : []), ...(duty ? [duty.feed] : [])]
    const missing = named.find((feed) => !readable.includes(feed))
    if (missing) throw new PrivateFeed(missing, { hasLink: link !== undefined })
    const shown = requested.filter((feed) => readable.includes(feed))
    limitLists(ip, profile, new Map([...filters].filter(([feed]) => shown.includes(feed))))
    if (duty) limitLists(ip, profile, new Map([[duty.feed, duty.chosen]]))
    const lists = [
      ...(duty ? [{ ...duty, select: dutyItems }] : []),
      ...shown.map((feed) => ({ feed, chosen: filters.get(feed), select: all })),
    ]
    // Where nothing is public, an emergency is not either.
    const text = readable.length > 0 ? emergency.current() : undefined
    const reading = availableOf(lists, async ({ feed, chosen, select }) => {
      const { board } = await overviews.read(feed, profile, chosen)
      return select(board).slice(0, limit)
    })
    const boards = await (text ? reading.catch(noneIfUnavailable) : reading)
    const duplicates = await duplicateMemory.duplicatesFor(profile)
    const changes = recentChanges(shown, context, { filters, duplicates, now })
    const listed = pictures.hosted(withDutyOnce(boards.flat(), feeds), site)
    const items = [
      ...(text ? [emergencyItem(text, site)] : []),
      ...withChangeTimes(listed, changes, site),
      ...(hasChanges ? changeItems(changes.slice(0, limit), site) : []),
    ]
    const used = duty ? [...shown, duty.feed] : shown
    return {
      items: items.map((item) => withOffsets(item, site)),
      ...boardAgeOf(used, context, clock.now()),
    }
  }
}

function setPublicHeaders(response: Response): void {
  response.set('Cache-Control', `public, max-age=${freshSeconds}`)
  // Some signage players fetch boards from a different origin.
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Cross-Origin-Resource-Policy', 'cross-origin')
}

const all = (items: readonly BoardItem[]) => items

/** Adds the times that programs need if they don't know the site's time zone. Keeps exact ones. */
function withOffsets(item: BoardItem, { timeZone }: Site): BoardItem {
  const zoned = (time: string | null) =>
    item.allDay || time === null ? null : zonedTimeFromSiteTime(time, timeZone)
  return {
    ...item,
    startAt: item.startAt ?? zoned(item.start),
    endAt: item.endAt ?? zoned(item.end),
  }
}

/**
 * Returns results for all feeds that are not switched off. Rejects if every feed is switched off or if
 * any other error occurs. Screens then keep their content instead of showing an empty board.
 */
async function availableOf<List, T>(
  lists: readonly List[],
  read: (list: List) => Promise<T>,
): Promise<readonly T[]> {
  const outcomes = await Promise.allSettled(lists.map(read))
  const results = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [outcome.value] : [],
  )
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const other = failed.find(({ reason }) => !isSwitchedOff(reason))
  if (other) throw other.reason
  const first = failed.map(({ reason }) => reason as unknown).find(isSwitchedOff)
  if (first && results.length === 0) {
    throw new Unavailable(switchedOffText, first.retryAfterMs, first)
  }
  return results
}

/** Lets an emergency text reach screens even if there is nothing else to show. */
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
