import { itemUrl, withText, type Feed } from '../../feeds/feed.ts'
import { contentTypeOf } from '../../feeds/formats.ts'
import type { EventDetails } from '../../feeds/item-page.ts'
import { todayAt, type Site } from '../../feeds/site.ts'
import { distanceInWords, endOfSpan } from '../../records/date-words.ts'
import { siteTimeAt } from '../../records/site-time.ts'
import { escapeHtml } from '../../text/html.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { requireReadable } from '../../web/viewer.ts'
import { eventServices, mapUrl } from './event-services.ts'
import { createItemPictures } from './item-pictures.ts'
import { linksOf } from '../../web/item-lists.ts'
import { documentFeeds, hasArchive } from '../../web/archives.ts'
import { storiesAround } from './news-page.ts'
import { keptLinks } from '../../web/kept-entries.ts'
import { ownRoleIn } from '../../web/calendar-entries.ts'
import {
  feedIn,
  type ItemRequest,
  type Page,
  type PageRequest,
  type ShowPage,
} from '../../web/page-handler.ts'
import { readId } from '../../web/urls.ts'

const othersShown = 3

type ShowItem = (item: ItemRequest) => ReturnType<ShowPage>

/** Returns a function that returns true until the record changes or is removed. */
function isAllowed(page: PageRequest) {
  const { collections } = page.context
  const feed = feedIn(page)
  const id = readId(page.request.params['id'])
  const revisionOf = () => feed && id && collections.copyOf(feed.resource)?.ledger.get(id)?.revision
  const revision = revisionOf()
  return () => revisionOf() === revision
}

export const forItem =
  (
    show: ShowItem,
    otherwise?: (request: PageRequest, feed: Feed, id: number) => ReturnType<ShowPage>,
  ): ShowPage =>
  async (request) => {
    const { context, viewer } = request
    const feed = feedIn(request)
    if (!feed) return undefined
    requireReadable(feed, viewer)
    const id = readId(request.request.params['id'])
    if (id === undefined) return undefined
    const url = viewer.link ? `${viewer.base}/${feed.id}/${id}` : itemUrl(feed.id, id, context.site)
    const page = await context.itemPages.read(feed, { id, url }, viewer.profile)
    return page ? show({ ...request, feed, id, url, page }) : otherwise?.(request, feed, id)
  }

const showItem = forItem(
  (item) => (item.page.event ? showEvent(item, item.page.event) : showArticle(item)),
  showGone,
)

/** Page of a calendar entry, including removed ones. */
export const entryPage: Page = { show: showItem, isAllowed }

/** Page of any other record. */
export const articlePage: Page = { ...entryPage, headers: [] }

/** File with a calendar entry. */
export const entryFile: Page = { show: forItem(sendCopy), isAllowed }

async function showArticle(request: ItemRequest) {
  const { context, viewer, render, feed, id, url, page } = request
  const { site } = context
  const { hosted } = context.kept(createItemPictures)
  const contentHtml = withScrollingTables(await hosted(page.contentHtml, feed, id), page.title)
  return render('items/item', {
    page: { ...page, contentHtml },
    url,
    alternates: linksOf(feed, viewer.base, site),
    archive: hasArchive(feed) ? withText(feed, site.language) : undefined,
    tab: documentFeeds.includes(feed.id) ? 'documents' : 'news',
    map: page.address === undefined ? undefined : mapOf(page.address, site),
    around: await storiesAround(request),
    isPrivate: viewer.link !== undefined,
  })
}

/**
 * Puts tables of sanitized HTML into boxes that scroll, so that wide ones do not widen the page.
 * People who use a keyboard can scroll a box that can have the focus.
 */
function withScrollingTables(html: string, title: string): string {
  const box = `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(title)}">`
  return html.replaceAll(/<table\b/g, () => `${box}<table`).replaceAll('</table>', '</table></div>')
}

/** Adds the site's place, because stories rarely name the town. */
function mapOf(address: string, { identity: { place } }: Site) {
  const [town = ''] = place?.split(',') ?? []
  const location = town !== '' && !address.includes(town) ? `${address}, ${place}` : address
  return mapUrl({ location, place: undefined })
}

async function showEvent(request: ItemRequest, event: EventDetails) {
  const { context, viewer, now, render, feed, id, url, page } = request
  const { site } = context
  const isPrivate = viewer.link !== undefined
  const hasPictures = !isPrivate && site.isStatic !== true
  const { description, time } = event
  // A private page's text does not leave Feedhouse unless the reader copies it.
  const sent = { ...event, title: page.title, description: isPrivate ? '' : description }
  const isOver = endOfSpan(time) <= siteTimeAt(now, site.timeZone)
  const today = todayAt(site, now)
  return render('items/event', {
    feed: withText(feed, site.language),
    id,
    page,
    event,
    role: ownRoleIn(request, time),
    url,
    picture: hasPictures
      ? { url: `${viewer.base}/${feed.id}/${id}-card.png`, title: page.title }
      : undefined,
    isPrivate,
    isOver: isOver && !site.isStatic,
    distance: today === undefined || isOver ? '' : distanceInWords(time, today, site.language),
    map: mapUrl(event),
    services: eventServices({ ...sent, url: isPrivate ? undefined : url }, site.timeZone),
    kept: keptLinks(request, `${feed.id}-${id}`),
    signUpUrl: feed.boardRole === 'volunteers' ? signUpUrl(feed, id, site) : undefined,
    alternates: linksOf(feed, viewer.base, site),
  })
}

/** Returns the URL where people sign up: the sheet's page on the website if it is known. */
const signUpUrl = (feed: Feed, id: number, site: Site) =>
  site.links[feed.id] === undefined ? site.url : itemUrl(feed.id, id, site)

async function sendCopy({ context, response, viewer, feed, id, page }: ItemRequest) {
  const { profile, link } = viewer
  const reader = { profile, entriesChangedAt: link?.link.profileChangedAt }
  const file = await context.itemPages.eventFile(feed, id, reader)
  if (!file) return undefined
  const name = contentDisposition(page.title, 'ics')
  response.set({ 'Content-Type': contentTypeOf('ics'), 'Content-Disposition': name })
  return file.toString()
}

/** Shows the page of a removed item. Unused ids have no page, and static hosts cannot send 410. */
async function showGone(request: PageRequest, feed: Feed, id: number) {
  const { context, response, viewer, render } = request
  const { site, overviews } = context
  const text = site.isStatic ? undefined : await context.itemPages.goneText(feed, id)
  if (text === undefined) return undefined
  response.status(410).set('Cache-Control', 'no-store')
  const { entries } = await overviews.read(feed, viewer.profile)
  const shown = { feed: withText(feed, site.language), text }
  return render('items/gone', { ...shown, next: entries.slice(0, othersShown) })
}
