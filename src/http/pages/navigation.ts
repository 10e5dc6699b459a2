import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'
import { documentFeeds } from './news-page.ts'
import { isForMember } from './own-entries.ts'

/** Returns the pages that every page links to, with their paths relative to the home page. */
export function navigationFor({ isOffered }: Pick<SiteContext, 'isOffered'>, viewer: Viewer) {
  const feeds = viewer.feeds.filter(isOffered)
  const hasCalendar = feeds.some(({ formats }) => formats.includes('ics'))
  const hasNews = feeds.some(({ boardRole }) => boardRole === 'story')
  const documents = feeds.find(({ id }) => documentFeeds.includes(id))
  const home = isForMember(viewer)
    ? ({ tab: 'home', label: 'Mine', icon: 'person', path: '' } as const)
    : ({ tab: 'home', label: 'Follow', icon: 'bell', path: '' } as const)
  const others = [
    { tab: 'calendar', label: 'Calendar', icon: 'calendar', path: 'agenda', isThere: hasCalendar },
    { tab: 'news', label: 'News', icon: 'news', path: 'news', isThere: hasNews },
    {
      tab: 'documents',
      label: 'Documents',
      icon: 'file',
      path: documents?.id ?? '',
      isThere: documents !== undefined,
    },
    {
      tab: 'members',
      label: 'Members',
      icon: 'people',
      path: 'members',
      isThere: viewer.hasMembers,
    },
  ] as const
  const pages = others.filter(({ isThere }) => isThere)
  return pages.length === 0 ? [] : [home, ...pages]
}
