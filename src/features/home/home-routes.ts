import type { RequestHandler } from 'express'
import { training } from '../../feeds/catalog/training.ts'
import { feedUrl, isCalendar, withText, type Feed } from '../../feeds/feed.ts'
import { formats } from '../../feeds/formats.ts'
import { renderOpml } from '../../feeds/opml.ts'
import { todayAt, withLanguage } from '../../feeds/site.ts'
import { oneLine } from '../../text/plain-text.ts'
import { distanceInWords, isLong, lastDayOf } from '../../records/date-words.ts'
import { monthToPrint } from '../../records/site-month.ts'
import type { FeedRole } from '../../signage/board-item.ts'
import { isDutyTonight } from '../../signage/duty.ts'
import { formOf, readForm } from '../../web/forms.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { isForMember, noteUse, viewerFrom } from '../../web/viewer.ts'
import { createClientLimit } from '../../web/client-limit.ts'
import { LinkClosed } from '../../web/errors.ts'
import { allowForms, sendOrigin } from '../../web/security-headers.ts'
import { queryOf } from '../../web/urls.ts'
import {
  chipsFor,
  choiceWithChips,
  showFrom,
  showIn,
  withChosen,
  type Chip,
} from '../../web/calendar-chips.ts'
import { calendarServices, newsReaders, phoneBrowsers } from '../../web/calendar-services.ts'
import {
  choiceSection,
  lastDay,
  readChoiceForm,
  savedChoice,
  type InvalidChoice,
} from './choice-form.ts'
import { embedSection } from './embed-section.ts'
import { combinedForReaders, feedSections } from './feeds-page.ts'
import {
  agendaFrom,
  linksOf,
  shownEntries,
  storiesFrom,
  type AgendaGroup,
} from '../../web/item-lists.ts'
import { comingOwnEntries, ownEntriesFor } from '../../web/calendar-entries.ts'
import { pageMessages } from '../../web/messages.ts'
import { pageRequest, type Page, type PageRequest } from '../../web/page-handler.ts'
import { qrCodeOf } from '../../web/qr-code.ts'
import { placesFor } from '../../web/search-matches.ts'
import { requireSameOrigin } from '../../web/same-origin.ts'

const shownStories = 3
const shownAnnouncements = 2
const shownSheets = 2
const shownShifts = 2

/** Number of upcoming entries shown on a page that also has sheets or shifts. */
const shownBesideCrew = 3

/** Number of chips shown at once, so that the button stays visible on a small phone. */
const shownChips = 5

const newsRoles: readonly FeedRole[] = ['story', 'announcement', 'post']

export const saves = { burst: 10, oneMoreMs: 5_000 }

/** Host names that refer to the local machine, which other devices cannot reach. */
const loopback = /^(?:localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|\[::\])$/

const limitSaves = ({ clock }: SiteContext) => createClientLimit(clock, saves, 'too many saves')

const save: RequestHandler = async (request, response) => {
  siteOf(response).kept(limitSaves)(request.ip ?? '')
  const page = pageRequest(request, response, { kind: 'form' })
  const { viewer, offered } = page
  const { site, links, catalog } = page.context
  const { link } = viewer
  if (!link) throw new LinkClosed('form')
  const posted = formOf(request)
  // Only the form on the home page has this field.
  const isChips = posted.has('show')
  const form = {
    feed: catalog.myFeeds,
    readable: offered,
    isForMember: isForMember(viewer.link),
    language: site.language,
  }
  const reading = isChips
    ? choiceWithChips(form, calendarChips(page), posted, savedChoice(link))
    : readChoiceForm(form, posted)
  if (!reading.ok) {
    const shown = { ...page, query: new URLSearchParams() }
    const body = await (isChips ? showHome : showFeeds)(shown, reading)
    return void response.status(400).send(body)
  }
  const edited = await links.edit(link.link.id, { choice: reading.choice })
  if (!edited.ok) throw new LinkClosed('form')
  const query = withLanguage('saved=1', site)
  response.redirect(303, isChips ? `./?${query}` : `feeds?${query}#my`)
}

/** Sends the feed list, which readers import. */
export const sendList: RequestHandler = (request, response, next) => {
  const page = pageRequest(request, response, { kind: 'list' })
  const { viewer, offered, now } = page
  const { site } = page.context
  const { link } = viewer
  const base = link ? viewer.base : site.publicUrl
  if (!offered.some(({ formats }) => formats.includes('rss'))) return next()
  if (link) noteUse(link, now, request.headers['user-agent'])
  const feeds = [...offered, ...combinedForReaders(page)]
  response.type('text/x-opml').send(renderOpml(feeds, base, site))
}

/** Redirects from the URL of a link without the slash at its end. */
export const addSlash: RequestHandler = ({ path, originalUrl }, response) => {
  const query = queryOf(originalUrl)
  const page = `${path.slice(path.lastIndexOf('/') + 1)}/`
  response.redirect(301, query.size === 0 ? page : `${page}?${query.toString()}`)
}

export const homePage: Page = {
  kind: 'overview',
  countsAsUse: true,
  show: (page) => showHome(page),
}

export const feedsPage: Page = { kind: 'overview', show: (page) => showFeeds(page) }

/** Rejects forms under a link that is paused or has ended. */
const requireOpen: RequestHandler = (_request, response, next) => {
  viewerFrom(response, 'form')
  next()
}

function commonContent({ context, viewer, offered, response }: PageRequest) {
  const { site } = context
  if (viewer.link) sendOrigin(response)
  return {
    viewer,
    readable: offered,
    alternates: offered.flatMap((feed) => linksOf(feed, viewer.base, site)),
    isLocal: loopback.test(new URL(site.publicUrl).hostname),
  }
}

/** Saves the feeds and options that are selected for a link. */
export const saveChoice = [allowForms, requireSameOrigin, requireOpen, readForm, save]

async function showHome(page: PageRequest, invalid?: InvalidChoice) {
  const { context, viewer, query } = page
  const { following, syncLogs } = context
  const { fault, ...content } = await homeContent(page)
  return page.render('home/home', {
    ...commonContent(page),
    ...content,
    hasMail: following?.hasMail === true,
    hasDevices: following?.pushKey !== undefined,
    hasAccount: viewer.link !== undefined && syncLogs !== undefined,
    fault: fault ?? invalid?.faults.join(' '),
    isSaved: !invalid && query.has('saved'),
  })
}

async function showFeeds(page: PageRequest, invalid?: InvalidChoice) {
  const { context, viewer, query, render } = page
  const { site, doctor } = context
  const sections = await feedSections(page)
  return render('home/feeds', {
    ...commonContent(page),
    sections,
    places: site.isStatic ? [] : placesFor(page, viewer.profile),
    // A link's page starts with the link's combined feeds.
    opened: query.get('feed') ?? (viewer.link ? undefined : sections[0]?.id),
    combined: combinedForReaders(page).map((feed) => withText(feed, site.language)),
    formats,
    choice: choiceSection(page, invalid),
    doctor: await doctor.sectionFor(viewer, query, site.language),
    website: embedSection(page),
  })
}

/** Returns the content of the home page. The query selects calendars on the public page. */
async function homeContent(page: PageRequest) {
  const { context, viewer, query } = page
  const byDefault = calendarChips(page)
  const isComposed = !viewer.link && query.has('show')
  const chosen = isComposed ? withChosen(byDefault, query.getAll('show')) : byDefault
  const isValid =
    chosen.some(({ isChosen }) => isChosen) || chosen.length === 0 || isForMember(viewer.link)
  const chips = isValid ? chosen : byDefault
  const { noneChosen, withdrawn } = pageMessages(context.site.language).follow.common
  const crew = viewer.link && crewContent(page)
  return {
    calendar: await calendarContent(page, chips, { isComposed, isShort: crew?.isEmpty === false }),
    news: newsContent(page),
    member: memberContent(page),
    crew,
    fault: isValid ? undefined : isComposed ? noneChosen : withdrawn,
  }
}

/** Returns the calendars that a viewer can select. Those saved for the link are selected. */
function calendarChips(page: PageRequest): readonly Chip[] {
  const { context, viewer } = page
  const { site, catalog, overviews } = context
  const partsOf = (feed: Feed) => overviews.of(feed, viewer.profile)?.parts ?? []
  const show = showIn(catalog.myFeeds, viewer.link?.link.choice)
  const isPublic = viewer.link === undefined && !site.isStatic
  return chipsFor(calendarsOf(page), partsOf, show, { isPublic, language: site.language })
}

function memberContent(page: PageRequest) {
  const { context, viewer, today } = page
  if (!isForMember(viewer.link)) return undefined
  const { copyOf, isSwitchedOff } = context.collections
  const members = copyOf('members')?.records
  const member = members?.find(({ id }) => id === viewer.link?.link.memberId)
  const firstName = oneLine(member?.firstName ?? '')
  const isLoading = (['members', 'signup'] as const).some(
    (resource) => !copyOf(resource) && !isSwitchedOff(resource),
  )
  return { firstName, today, coming: comingOwnEntries(page), isLoading }
}

/** Returns sign-up sheets with open places, except for the member's own, and who is on duty tonight. */
function crewContent(page: PageRequest) {
  const { context, today } = page
  const { items } = itemsOf(page, calendarsOf(page))
  const own = new Set(
    ownEntriesFor(page, { from: today, to: lastDay }).map(
      ({ kind, recordId }) => `${kind}-${recordId}`,
    ),
  )
  const listed = (chosen: typeof items, limit: number) =>
    agendaFrom(chosen, [], { ...context.site, today, firstDay: today }, { limit, isGrouped: false })
  const needy = items.filter(({ id, open }) => (open ?? 0) > 0 && !own.has(id))
  const onDuty = items.filter((item) => isDutyTonight(item, today))
  return {
    sheets: listed(needy, shownSheets),
    shifts: listed(onDuty, shownShifts).flatMap(({ entries }) => entries),
    isEmpty: needy.length + onDuty.length === 0,
  }
}

async function calendarContent(
  page: PageRequest,
  chips: readonly Chip[],
  { isComposed, isShort }: { readonly isComposed: boolean; readonly isShort: boolean },
) {
  const { now, today: firstDay } = page
  const { site, catalog } = page.context
  const feeds = calendarsOf(page)
  const [first] = feeds
  if (!first) return undefined
  const { link, base } = page.viewer
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
  const { items, isLoading } = itemsOf(page, feeds)
  const today = todayAt(site, now)
  const limit = isShort ? shownBesideCrew : shownEntries
  const agenda = agendaFrom(items, chips, { ...site, today, firstDay }, { limit })
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
    next: nextOf(agenda, page),
    agenda,
    limit,
    firstDay,
    month: monthToPrint(firstDay),
    isLoading,
  }
}

/** Returns the next entry with its distance. Visitors see the next public event, if there is one. */
function nextOf(agenda: readonly AgendaGroup[], { context, viewer, today }: PageRequest) {
  const coming = agenda
    .flatMap(({ entries }) => entries)
    .filter(({ item }) => lastDayOf(item) >= today && !isLong(item) && item.kind !== training.id)
  const event = viewer.link ? undefined : coming.find(({ item }) => item.kind === 'events')
  const next = event ?? coming.find(({ isShown }) => isShown)
  const { isStatic, language } = context.site
  const distance = next && !isStatic ? distanceInWords(next.item, today, language) : ''
  // Entries of other calendars may come before it.
  return next && { ...next, isEvent: event !== undefined, distance }
}

function newsContent(page: PageRequest) {
  const { context, offered } = page
  const { site, catalog } = context
  const { link, base } = page.viewer
  const feeds = offered.filter(({ boardRole }) => newsRoles.includes(boardRole))
  const [first] = feeds
  if (!first) return undefined
  const { items, isLoading } = itemsOf(page, feeds)
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

function calendarsOf({ offered }: PageRequest): readonly Feed[] {
  return offered.filter(isCalendar).toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Returns the known items. They are loading until the website has been read. */
function itemsOf({ context, viewer }: PageRequest, feeds: readonly Feed[]) {
  const known = feeds.map((feed) => context.overviews.of(feed, viewer.profile))
  const items = known.flatMap((overview) => overview?.board ?? [])
  return { items, isLoading: known.every((overview) => overview === undefined) }
}

/** Sorts calendars by popularity: public events, then members' calendars, then sensitive feeds. */
function rankOf({ boardRole, repeats, isNamedOnly = false }: Feed): number {
  const roles = ['agenda', 'volunteers', 'bookings']
  return 3 * roles.indexOf(boardRole) + (isNamedOnly ? 2 : repeats === undefined ? 0 : 1)
}
