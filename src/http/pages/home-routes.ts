import { Router, type RequestHandler } from 'express'
import { feedUrl, withText, type Feed } from '../../feeds/feed.ts'
import { renderOpml } from '../../feeds/opml.ts'
import { siteIn, todayAt, withLanguage } from '../../feeds/site.ts'
import { oneLine } from '../../records/plain-text.ts'
import { monthToPrint } from '../../records/site-month.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { FeedRole } from '../../signage/board-item.ts'
import { formOf, readForm } from '../admin/requests.ts'
import { contextIn, type SiteContext } from '../context.ts'
import { linkPrefix, noteUse, prefixes, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { followMessages } from '../follow/messages.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { LinkClosed } from '../responses/errors.ts'
import { allowForms } from '../responses/security-headers.ts'
import { queryOf } from '../server/urls.ts'
import {
  chipsFor,
  choiceWithChips,
  showFrom,
  showIn,
  withChosen,
  type Chip,
} from './calendar-chips.ts'
import { calendarServices, newsReaders, phoneBrowsers } from './calendar-services.ts'
import { choiceSection, readChoiceForm, savedChoice, type InvalidChoice } from './choice-form.ts'
import { embedSection } from './embed-options.ts'
import { combinedForReaders, feedSections } from './feeds-page.ts'
import { agendaFrom, linksOf, storiesFrom } from './item-lists.ts'
import { comingOwnEntries, isForMember } from './calendar-entries.ts'
import { pageMessages } from './messages.ts'
import { pageRouter, renderFor, type PageRequest } from './page-handler.ts'
import { qrCodeOf } from './qr-code.ts'
import { createMatchCounter, placesFor, type MatchCounter } from './search-matches.ts'
import { requireSameOrigin } from './same-origin.ts'
import { readLanguage } from './translation.ts'

const shownStories = 4
const shownAnnouncements = 2

/** Number of chips shown at once, so that the button stays visible on a small phone. */
const shownChips = 5

const newsRoles: readonly FeedRole[] = ['story', 'announcement', 'post']

export const saves = { burst: 10, oneMoreMs: 5_000 }

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

/** Returns true for the pages of feed links, which have a form that saves a selection. */
export function isLinkPage(path: string): boolean {
  return /^\/l\/[^/]+\/(?:feeds)?$/.test(path)
}

/** Serves the home page, the feeds page and the feed list, and saves a link's selected feeds. */
export function homeRoutes(context: SiteContext): Router {
  const { site, catalog, links, clock } = context
  const { myFeeds, combinedFeeds } = catalog
  const limit = createClientLimit(clock, saves, 'too many saves')
  const countMatches = createMatchCounter(context)
  const save: RequestHandler = async (request, response) => {
    limit(request.ip ?? '')
    const viewer = viewerFrom(response, 'form')
    const translated = contextIn(context, readLanguage(queryOf(request.originalUrl), site))
    const { link } = viewer
    if (!link) throw new LinkClosed('form')
    const posted = formOf(request)
    // Only the form on the home page has this field.
    const isChips = posted.has('show')
    const isMember = isForMember(viewer)
    const chips = calendarChips(context, viewer)
    const form = {
      feed: myFeeds,
      readable: readableBy(context, viewer),
      isForMember: isMember,
      language: translated.site.language,
    }
    const reading = isChips
      ? choiceWithChips(myFeeds, chips, posted, savedChoice(link), {
          hasOwn: isMember,
          language: translated.site.language,
        })
      : readChoiceForm(form, posted)
    if (!reading.ok) {
      const query = new URLSearchParams()
      const render = renderFor(translated, viewer)
      const pageRequest = { request, response, viewer, query, now: clock.now(), render }
      const { showHome, showFeeds } = homePages(translated, countMatches)
      const page = await (isChips ? showHome : showFeeds)(pageRequest, reading)
      return void response.status(400).send(page)
    }
    const edited = await links.edit(link.link.id, { choice: reading.choice })
    if (!edited.ok) throw new LinkClosed('form')
    const query = withLanguage('saved=1', translated.site)
    response.redirect(303, isChips ? `./?${query}` : `feeds?${query}#my`)
  }

  const sendList: RequestHandler = ({ headers, originalUrl }, response, next) => {
    const viewer = viewerFrom(response, 'list')
    const { link } = viewer
    const translated = siteIn(site, readLanguage(queryOf(originalUrl), site))
    const base = link ? viewer.base : translated.publicUrl
    const readable = readableBy(context, viewer)
    if (!readable.some(({ formats }) => formats.includes('rss'))) return next()
    if (link) noteUse(link, clock.now(), headers['user-agent'])
    const combined = combinedForReaders(combinedFeeds, readable, link !== undefined)
    response.type('text/x-opml').send(renderOpml([...readable, ...combined], base, translated))
  }

  const router = Router({ caseSensitive: true, strict: true })
  router.get(linkPrefix, ({ path, originalUrl }, response) => {
    const query = queryOf(originalUrl)
    const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
    response.redirect(301, query.size === 0 ? page : `${page}?${query.toString()}`)
  })
  for (const path of ['/', '/feeds']) {
    router.post(`${linkPrefix}${path}`, allowForms, requireSameOrigin(site), readForm, save)
  }
  for (const prefix of prefixes) router.get(`${prefix}/feeds.opml`, sendList)
  router.use(
    pageRouter(context, (translated) => {
      const { showHome, showFeeds } = homePages(translated, countMatches)
      return [
        { path: '/', kind: 'overview', show: showHome },
        { path: '/feeds', kind: 'overview', show: showFeeds },
      ]
    }),
  )
  return router
}

/** Returns the functions that show the home page and the feeds page. */
function homePages(context: SiteContext, countMatches: MatchCounter) {
  const { site, catalog, doctor } = context
  const isLocal = loopback.test(new URL(site.publicUrl).hostname)

  function commonContent({ viewer, response }: PageRequest) {
    // With no-referrer, browsers would send the form with `Origin: null`.
    if (viewer.link) response.set('Referrer-Policy', 'same-origin')
    const readable = readableBy(context, viewer)
    const alternates = readable.flatMap((feed) => linksOf(feed, viewer.base, site))
    return { viewer, readable, alternates, isLocal }
  }

  async function showHome(request: PageRequest, invalid?: InvalidChoice) {
    const { response, viewer, query } = request
    // Old URLs, from when this page listed all feeds.
    if (query.has('feed') || query.has('check')) {
      response.redirect(301, `feeds?${query.toString()}`)
      return undefined
    }
    const { fault, ...content } = await homeContent(context, viewer, query)
    return request.render('home', {
      ...commonContent(request),
      ...content,
      hasMail: context.following?.hasMail === true,
      device: context.following?.pushKey && followMessages(context.site.language).device,
      hasAccount: viewer.link !== undefined && context.syncLogs !== undefined,
      fault: fault ?? invalid?.faults.join(' '),
      isSaved: !invalid && query.has('saved'),
    })
  }

  async function showFeeds(request: PageRequest, invalid?: InvalidChoice) {
    const { viewer, query, render } = request
    const common = commonContent(request)
    const sections = await feedSections(context, request, countMatches)
    return render('feeds', {
      ...common,
      sections,
      places: site.isStatic ? [] : placesFor(context, common.readable, viewer),
      // A link's page starts with the link's combined feeds.
      opened: query.get('feed') ?? (viewer.link ? undefined : sections[0]?.id),
      combined: combinedForReaders(
        catalog.combinedFeeds,
        common.readable,
        viewer.link !== undefined,
      ).map((feed) => withText(feed, site.language)),
      choice: choiceSection(context, request, countMatches, {
        isSaved: query.has('saved'),
        invalid,
      }),
      doctor: await doctor.sectionFor(viewer, query, site.language),
      website: embedSection(context, request, countMatches),
    })
  }

  return { showHome, showFeeds }
}

function readableBy({ isOffered }: SiteContext, { feeds }: Viewer): readonly Feed[] {
  return feeds.filter(isOffered)
}

/** Returns the content of the home page. The query selects calendars on the public page. */
async function homeContent(context: SiteContext, viewer: Viewer, query: URLSearchParams) {
  const byDefault = calendarChips(context, viewer)
  const isComposed = !viewer.link && query.has('show')
  const chosen = isComposed ? withChosen(byDefault, query.getAll('show')) : byDefault
  const isValid =
    chosen.some(({ isChosen }) => isChosen) || chosen.length === 0 || isForMember(viewer)
  const chips = isValid ? chosen : byDefault
  const { noneChosen, withdrawn } = pageMessages(context.site.language).follow.common
  return {
    calendar: await calendarContent(context, viewer, chips, isComposed),
    news: newsContent(context, viewer),
    member: memberContent(context, viewer),
    fault: isValid ? undefined : isComposed ? noneChosen : withdrawn,
  }
}

/** Returns the calendars that a viewer can select. Those saved for the link are selected. */
function calendarChips(context: SiteContext, viewer: Viewer): readonly Chip[] {
  const { site, catalog, overviews } = context
  const partsOf = (feed: Feed) => overviews.of(feed, viewer.profile)?.parts ?? []
  const show = showIn(catalog.myFeeds, viewer.link?.link.choice)
  const isPublic = viewer.link === undefined && !site.isStatic
  return chipsFor(calendarsOf(context, viewer), partsOf, show, {
    isPublic,
    language: site.language,
  })
}

/** Returns the name and the next entries of the member whom a link is for. */
function memberContent(context: SiteContext, viewer: Viewer) {
  const { site, collections, clock } = context
  if (!isForMember(viewer)) return undefined
  const members = collections.copyOf('members')?.records ?? []
  const member = members.find(({ id }) => id === viewer.link?.link.memberId)
  const today = siteDateAt(clock.now(), site.timeZone)
  return {
    firstName: oneLine(member?.firstName ?? ''),
    today,
    coming: comingOwnEntries(context, viewer, today),
  }
}

async function calendarContent(
  context: SiteContext,
  viewer: Viewer,
  chips: readonly Chip[],
  isComposed: boolean,
) {
  const { site, catalog, clock } = context
  const feeds = calendarsOf(context, viewer)
  const [first] = feeds
  if (!first) return undefined
  const { link, base } = viewer
  const isWithdrawn = chips.every(({ isChosen }) => !isChosen)
  const hasChoice = (chips.length > 1 || isWithdrawn) && !site.isStatic
  const combined = link ? catalog.myFeeds : catalog.allFeeds
  // A site with a single calendar has no combined one.
  const feed = feeds.length > 1 || hasChoice || link ? combined : first
  const { list, isEverything } = showFrom(chips)
  const isSelection = !link && hasChoice && !isEverything
  const url = feedUrl(base, feed, 'ics', withLanguage(isSelection ? `show=${list}` : '', site))
  // For other devices, with the same selection.
  const query = withLanguage(isComposed ? `show=${list}` : '', site)
  const pageUrl = `${base}/${query === '' ? '' : `?${query}`}`
  const { items, isLoading } = itemsOf(context, feeds, viewer)
  const now = clock.now()
  const firstDay = siteDateAt(now, site.timeZone)
  // A collapsed section for a single chip would take up as much space.
  const foldAt = chips.length <= shownChips + 1 ? chips.length : shownChips
  return {
    chips: hasChoice ? chips.slice(0, foldAt) : [],
    moreChips: hasChoice ? chips.slice(foldAt) : [],
    url,
    /** Without a choice. */
    plainUrl: feedUrl(base, feed, 'ics', withLanguage('', site)),
    services: calendarServices(url, site.name),
    browsers: phoneBrowsers(pageUrl),
    pageUrl,
    qrCode: await qrCodeOf(pageUrl),
    agenda: agendaFrom(items, chips, { ...site, today: todayAt(site, now), firstDay }),
    month: monthToPrint(firstDay),
    isLoading,
  }
}

function newsContent(context: SiteContext, viewer: Viewer) {
  const { site, catalog, isOffered } = context
  const { link, base } = viewer
  const feeds = viewer.feeds.filter((feed) => isOffered(feed) && newsRoles.includes(feed.boardRole))
  const [first] = feeds
  if (!first) return undefined
  const { items, isLoading } = itemsOf(context, feeds, viewer)
  const isSeveral = feeds.length > 1 && !site.isStatic
  const shown = isSeveral ? `show=${feeds.map(({ id }) => id).join(',')}` : ''
  const url = link
    ? feedUrl(base, catalog.myFeeds, 'rss', withLanguage('', site))
    : feedUrl(base, isSeveral ? catalog.allFeeds : first, 'rss', withLanguage(shown, site))
  const hasArchive = feeds.some(({ boardRole }) => boardRole === 'story')
  // The page with all news has only stories.
  const stories = items.filter(({ role }) => role === 'story' || !hasArchive)
  const others = items.filter((item) => !stories.includes(item))
  const announcements = storiesFrom(context, others, shownAnnouncements, 'thumbnail')
  const limit = announcements.length > 0 ? shownStories - 1 : shownStories
  return {
    url,
    readers: newsReaders(url),
    announcements,
    stories: storiesFrom(context, stories, limit, 'thumbnail'),
    hasArchive,
    isLoading,
  }
}

function calendarsOf({ isOffered }: SiteContext, { feeds }: Viewer): readonly Feed[] {
  return feeds
    .filter((feed) => isOffered(feed) && feed.formats.includes('ics'))
    .toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Returns the known items. They are loading until the website has been read. */
function itemsOf({ overviews }: SiteContext, feeds: readonly Feed[], { profile }: Viewer) {
  const known = feeds.map((feed) => overviews.of(feed, profile))
  const items = known.flatMap((overview) => overview?.board ?? [])
  return { items, isLoading: known.every((overview) => overview === undefined) }
}

/** Sorts calendars by popularity: public events, then members' calendars, then sensitive feeds. */
function rankOf({ boardRole, repeats, isNamedOnly = false }: Feed): number {
  const roles = ['agenda', 'volunteers', 'bookings']
  return 3 * roles.indexOf(boardRole) + (isNamedOnly ? 2 : repeats === undefined ? 0 : 1)
}
