import { Router, type RequestHandler } from 'express'
import { renderOpml } from '../../feeds/opml.ts'
import { formOf, readForm } from '../admin/requests.ts'
import type { SiteContext } from '../context.ts'
import { linkPrefix, noteUse, prefixes, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { LinkClosed } from '../responses/errors.ts'
import { allowForms } from '../responses/security-headers.ts'
import { sendMessage } from '../responses/send-message.ts'
import { queryOf } from '../server/urls.ts'
import { choiceWithChips } from './calendar-chips.ts'
import { choiceSection, readChoiceForm, savedChoice, type InvalidChoice } from './choice-form.ts'
import { embedSection } from './embed-options.ts'
import { combinedForReaders, feedSections } from './feeds-page.ts'
import { calendarChips, homeContent } from './home-page.ts'
import { linksOf } from './item-lists.ts'
import { isForMember } from './calendar-entries.ts'
import { pageRouter, renderFor, type PageRequest } from './page-handler.ts'

export const saves = { burst: 10, oneMoreMs: 5_000 }

const otherOriginText =
  'This form was submitted from a page at another address. Open the page of your feed link and save there.'

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Returns true for the pages of feed links, which have a form that saves a selection. */
export function isLinkPage(path: string): boolean {
  return /^\/l\/[^/]+\/(?:feeds)?$/.test(path)
}

/** Serves the home page, the feeds page and the feed list, and saves a link's selected feeds. */
export function homeRoutes(context: SiteContext): Router {
  const { site, catalog, isOffered, links, doctor, clock } = context
  const { myFeeds, combinedFeeds } = catalog
  const limit = createClientLimit(clock, saves, 'too many saves')
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)

  const readableBy = ({ feeds }: Viewer) => feeds.filter(isOffered)

  function commonContent({ viewer, response }: PageRequest) {
    // With no-referrer, browsers would send the form with `Origin: null`.
    if (viewer.link) response.set('Referrer-Policy', 'same-origin')
    const readable = readableBy(viewer)
    const alternates = readable.flatMap((feed) => linksOf(feed, viewer.base))
    return { viewer, readable, alternates, isLocal }
  }

  async function showHome(request: PageRequest, invalid?: InvalidChoice) {
    const { response, viewer, query } = request
    // URLs from the time when this page listed all feeds.
    if (query.has('feed') || query.has('check')) {
      response.redirect(301, `feeds?${query.toString()}`)
      return undefined
    }
    const { fault, ...content } = await homeContent(context, viewer, query)
    return request.render('home', {
      ...commonContent(request),
      ...content,
      fault: fault ?? invalid?.faults.join(' '),
      isSaved: !invalid && query.has('saved'),
    })
  }

  async function showFeeds(request: PageRequest, invalid?: InvalidChoice) {
    const { viewer, query, render } = request
    const common = commonContent(request)
    const sections = await feedSections(context, viewer, query)
    return render('feeds', {
      ...common,
      sections,
      // A link's page starts with the link's combined feeds.
      opened: query.get('feed') ?? (viewer.link ? undefined : sections[0]?.id),
      combined: combinedForReaders(combinedFeeds, common.readable, viewer.link !== undefined),
      choice: choiceSection(context, viewer, { isSaved: query.has('saved'), invalid }),
      doctor: await doctor.sectionFor(viewer, query),
      website: embedSection(context, viewer, query),
    })
  }

  /** The origin of a form is this service's public URL or the URL of the request. */
  const requireSameOrigin: RequestHandler = ({ headers: { origin, host } }, response, next) => {
    const isOwn =
      origin === undefined ||
      origin === new URL(site.publicUrl).origin ||
      (URL.canParse(origin) && new URL(origin).host === host)
    if (isOwn) return next()
    sendMessage(response, 403, otherOriginText)
  }

  const save: RequestHandler = async (request, response) => {
    limit(request.ip ?? '')
    const viewer = viewerFrom(response, 'form')
    const { link } = viewer
    if (!link) throw new LinkClosed('form')
    const posted = formOf(request)
    // Only the form on the home page has this field.
    const isChips = posted.has('show')
    const reading = isChips
      ? choiceWithChips(
          myFeeds,
          calendarChips(context, viewer),
          posted,
          savedChoice(link),
          isForMember(viewer),
        )
      : readChoiceForm(
          { feed: myFeeds, readable: readableBy(viewer), isForMember: isForMember(viewer) },
          posted,
        )
    if (!reading.ok) {
      const query = new URLSearchParams()
      const render = renderFor(context, viewer)
      const pageRequest = { request, response, viewer, query, now: clock.now(), render }
      const page = await (isChips ? showHome : showFeeds)(pageRequest, reading)
      return void response.status(400).send(page)
    }
    const edited = await links.edit(link.link.id, { choice: reading.choice })
    if (!edited.ok) throw new LinkClosed('form')
    response.redirect(303, isChips ? './?saved=1' : 'feeds?saved=1#my')
  }

  const sendList: RequestHandler = ({ headers }, response, next) => {
    const viewer = viewerFrom(response, 'list')
    const { base, link } = viewer
    const readable = readableBy(viewer)
    if (!readable.some(({ formats }) => formats.includes('rss'))) return next()
    if (link) noteUse(link, clock.now(), headers['user-agent'])
    const combined = combinedForReaders(combinedFeeds, readable, link !== undefined)
    response.type('text/x-opml').send(renderOpml([...readable, ...combined], base, site))
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.get(linkPrefix, ({ path, originalUrl }, response) => {
    const query = queryOf(originalUrl)
    const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
    response.redirect(301, query.size === 0 ? page : `${page}?${query.toString()}`)
  })
  for (const path of ['/', '/feeds']) {
    router.post(`${linkPrefix}${path}`, allowForms, requireSameOrigin, readForm, save)
  }
  for (const prefix of prefixes) router.get(`${prefix}/feeds.opml`, sendList)
  router.use(
    pageRouter(context, [
      { path: '/', kind: 'overview', show: showHome },
      { path: '/feeds', kind: 'overview', show: showFeeds },
    ]),
  )
  return router
}
