import { isCalendar, type Feed } from '../feeds/feed.ts'
import type { Site } from '../feeds/site.ts'
import { siteDateAt } from '../records/site-time.ts'
import { staticMonths } from '../features/agenda/agenda-pages.ts'
import { hasFreeDays } from '../features/agenda/free-days-page.ts'
import { hasArchive } from '../web/archives.ts'

/** Returns the paths of the pages on a static host, except for item pages. */
export function browsingPaths(feeds: readonly Feed[], { timeZone }: Site, now: number) {
  const months = staticMonths(siteDateAt(now, timeZone)).map((month) => `/month/${month}`)
  return [
    ...(feeds.some(isCalendar) ? ['/agenda', ...months] : []),
    ...feeds.filter(hasArchive).map(({ id }) => `/${id}`),
    ...feeds.filter(hasFreeDays).map(({ id }) => `/${id}/free`),
  ]
}
