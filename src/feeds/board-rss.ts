import { lines } from '../calendar/entry-recipe.ts'
import { joined } from '../records/date-words.ts'
import { instantFromSiteTime, siteDateAt } from '../records/site-time.ts'
import type { BoardItem } from '../signage/board-item.ts'
import { isText } from '../signage/board-view.ts'
import { itemDefaults, type FeedItem } from '../syndication/feed-item.ts'
import { renderRss } from '../syndication/rss.ts'
import { tagUri } from '../syndication/channel.ts'
import { itemUrl } from './feed.ts'
import { feedMessages } from './messages.ts'
import { websiteLanguageOf, type Site } from './site.ts'

/** Longer titles do not fit on the players' screens. */
const maxTitleLength = 130

/** Renders a board's items as RSS for signage players, in plain text with at most one picture each. */
export function renderBoardRss(
  items: readonly BoardItem[],
  { site, now }: { readonly site: Site; readonly now: number },
): string {
  const channel = {
    id: tagUri(site.idHost, 'board'),
    title: site.name,
    description: feedMessages(site.language).board(site.name),
    homeUrl: site.url,
    author: site.name,
    language: websiteLanguageOf(site),
    updatedAt: Math.max(0, ...items.map((item) => writtenAt(item, site, now))),
  }
  return renderRss(
    channel,
    items.map((item) => itemFrom(item, site, now)),
  )
}

function itemFrom(item: BoardItem, site: Site, now: number): FeedItem {
  const { id, title, when, location, text, category, pictureUrl: url, pictureType: type } = item
  const summary = lines(isText(item.role) ? '' : joined(when, location), text)
  const at = writtenAt(item, site, now)
  const recordId = Number(id.slice(id.lastIndexOf('-') + 1))
  // Otherwise, readers would not show the next emergency text as new.
  const name = item.role === 'emergency' ? `${id}-${item.start}` : id
  const hasPage = item.role !== 'changes' && Number.isSafeInteger(recordId)
  return {
    ...itemDefaults,
    id: tagUri(site.idHost, `board-${name}`),
    recordId,
    url: hasPage ? itemUrl(item.kind, recordId, site) : `${site.url}/#${name}`,
    title: title.slice(0, maxTitleLength).replace(/\p{Surrogate}$/u, ''),
    summary,
    contentHtml: '',
    category,
    pictures:
      url === null || type === null
        ? []
        : [
            {
              url,
              type,
              title: '',
              fileSize: undefined,
              width: item.pictureWidth ?? undefined,
              height: item.pictureHeight ?? undefined,
            },
          ],
    publishedAt: at,
    updatedAt: at,
  }
}

/** For events, returns the start of today, because players skip items with future dates. */
function writtenAt(item: BoardItem, { timeZone }: Site, now: number): number {
  return instantFromSiteTime(
    isText(item.role) ? item.start : `${siteDateAt(now, timeZone)}T00:00:00`,
    timeZone,
  )
}
