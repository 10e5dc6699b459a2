import { feedUrl } from '../feeds/feed.ts'
import { withLanguage } from '../feeds/site.ts'
import { maxEntries } from '../feeds/source-list.ts'
import { calendarServices } from './calendar-services.ts'
import type { PageRequest } from './page-handler.ts'

/** Stands for the entries that people save on a page with several entries. */
export const savedEntries = '_'

/**
 * Returns links that add a calendar with only these entries. The page's script replaces the entries with
 * the saved ones. Private pages have no such links, and static hosts ignore query strings.
 */
export function keptLinks({ context, viewer }: PageRequest, ids: string) {
  const { site, catalog } = context
  if (viewer.link || site.isStatic) return undefined
  const url = feedUrl(viewer.base, catalog.allFeeds, 'ics', withLanguage(`ids=${ids}`, site))
  return { ids, url, max: maxEntries, services: calendarServices(url, site.name) }
}
