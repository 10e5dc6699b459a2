import { Router, type Request } from 'express'
import { contentTypes, publicItemUrl, type Feed } from '../../feeds/feed.ts'
import { todayAt } from '../../feeds/site.ts'
import { siteTimeAt } from '../../records/site-time.ts'
import { distanceInWords, endOfSpan } from '../../records/date-words.ts'
import type { SiteContext } from '../context.ts'
import { contentDisposition } from '../feeds/content-disposition.ts'
import { prefixes, requireReadable, type Viewer } from '../feeds/viewer.ts'
import { allowForms } from '../server/security-headers.ts'
import { eventServices, mapUrl } from './event-services.ts'
import { gonePage } from './gone-page.ts'
import { pageHandler, type PageRequest } from './page-handler.ts'
import { linksOf, readId, recordIsUnchanged } from './page-routes.ts'

/**
 * Serves `/{feed}/{id}`, a page for an entry of a calendar, and `/{feed}/{id}.ics`, a copy of the entry,
 * publicly and under feed links. The page of an entry that the website no longer shows says so.
 */
export function eventRoutes(context: SiteContext): Router {
  const { site, catalog, itemPages, render } = context
  const router = Router({ caseSensitive: true, strict: true })

  const urlOf = (feed: Feed, id: number, { base, link }: Viewer) =>
    link ? `${base}/${feed.id}/${id}` : publicItemUrl(feed.id, id, site)

  const showEvent = (feed: Feed) => async (pageRequest: PageRequest) => {
    const { request, response, viewer, now } = pageRequest
    requireReadable(feed, viewer)
    const id = readId(request.params['id'])
    if (id === undefined) return undefined
    const url = urlOf(feed, id, viewer)
    const page = await itemPages.read(feed, { id, url }, viewer.profile)
    if (!page?.event) return gonePage(context, feed, id, response)
    const isPrivate = viewer.link !== undefined
    const { event } = page
    const { description, time } = event
    // A private page's text stays with Feedhouse until its reader copies it.
    const sent = { ...event, title: page.title, description: isPrivate ? '' : description }
    const isOver = endOfSpan(time) <= siteTimeAt(now, site.timeZone)
    const today = todayAt(site, now)
    return render('event', {
      feed,
      id,
      page,
      event,
      url,
      isPrivate,
      isOver: isOver && !site.isStatic,
      distance: today === undefined || isOver ? '' : distanceInWords(time, today),
      map: mapUrl(event),
      services: eventServices({ ...sent, url: isPrivate ? undefined : url }, site.timeZone),
      signUpUrl: feed.boardRole === 'volunteers' ? signUpUrl(feed, id) : undefined,
      alternates: linksOf(feed, viewer.base),
    })
  }

  /** Returns where people sign up: the sheet's page on the website if it is known. */
  const signUpUrl = (feed: Feed, id: number) =>
    site.links[feed.id] === undefined ? site.url : publicItemUrl(feed.id, id, site)

  const sendCopy =
    (feed: Feed) =>
    async ({ request, response, viewer }: PageRequest) => {
      requireReadable(feed, viewer)
      const id = readId(request.params['id'])
      if (id === undefined) return undefined
      const file = await itemPages.eventFile(feed, id, viewer.profile)
      if (!file) return undefined
      const page = await itemPages.read(feed, { id, url: urlOf(feed, id, viewer) }, viewer.profile)
      const name = contentDisposition(page?.title ?? feed.title, 'ics', { isDownload: false })
      response.set({ 'Content-Type': contentTypes.ics, 'Content-Disposition': name })
      return file.toString()
    }

  for (const feed of catalog.feeds.filter(({ formats }) => formats.includes('ics'))) {
    const isAllowed = ({ params }: Request) =>
      recordIsUnchanged(context, feed, readId(params['id']))
    for (const prefix of prefixes) {
      // Static hosts send the same policy for all files of a directory.
      router.get(
        `${prefix}/${feed.id}/:id.ics`,
        allowForms,
        pageHandler(context, sendCopy(feed), { isAllowed }),
      )
      router.get(
        `${prefix}/${feed.id}/:id`,
        allowForms,
        pageHandler(context, showEvent(feed), { isAllowed }),
      )
    }
  }
  return router
}
