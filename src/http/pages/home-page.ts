import { feedUrl, type Feed } from '../../feeds/feed.ts'
import { todayAt } from '../../feeds/site.ts'
import { monthToPrint } from '../../records/site-month.ts'
import { oneLine } from '../../records/plain-text.ts'
import { siteDateAt } from '../../records/site-time.ts'
import type { FeedRole } from '../../signage/board-item.ts'
import type { SiteContext } from '../context.ts'
import type { Viewer } from '../feeds/viewer.ts'
import {
  chipsFor,
  noneChosenText,
  showFrom,
  showIn,
  withChosen,
  type Chip,
} from './calendar-chips.ts'
import { calendarServices, newsReaders, phoneBrowsers } from './calendar-services.ts'
import { agendaFrom, storiesFrom } from './item-lists.ts'
import { comingOwnEntries, isForMember } from './calendar-entries.ts'
import { qrCodeOf } from './qr-code.ts'

const shownStories = 4
const shownAnnouncements = 2

/** Number of chips shown at once, so that the button stays visible on a small phone. */
const shownChips = 5

const withdrawnText = 'The selected calendars are no longer available. Please choose others.'

const newsRoles: readonly FeedRole[] = ['story', 'announcement', 'post']

/** Returns the content of the home page. The query selects calendars on the public page. */
export async function homeContent(context: SiteContext, viewer: Viewer, query: URLSearchParams) {
  const byDefault = calendarChips(context, viewer)
  const isComposed = !viewer.link && query.has('show')
  const chosen = isComposed ? withChosen(byDefault, query.getAll('show')) : byDefault
  const isValid =
    chosen.some(({ isChosen }) => isChosen) || chosen.length === 0 || isForMember(viewer)
  const chips = isValid ? chosen : byDefault
  return {
    calendar: await calendarContent(context, viewer, chips, isComposed),
    news: newsContent(context, viewer),
    member: memberContent(context, viewer),
    fault: isValid ? undefined : isComposed ? noneChosenText : withdrawnText,
  }
}

/** Returns the calendars that a viewer can select. Those saved for the link are selected. */
export function calendarChips(context: SiteContext, viewer: Viewer): readonly Chip[] {
  const { site, catalog, overviews } = context
  const partsOf = (feed: Feed) => overviews.of(feed, viewer.profile)?.parts ?? []
  const show = showIn(catalog.myFeeds, viewer.link?.link.choice)
  const isPublic = viewer.link === undefined && !site.isStatic
  return chipsFor(calendarsOf(context, viewer), partsOf, show, isPublic)
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
  const url = feedUrl(base, feed, 'ics', isSelection ? `show=${list}` : '')
  // For other devices, with the same selection.
  const pageUrl = `${base}/${isComposed ? `?show=${list}` : ''}`
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
    plainUrl: feedUrl(base, feed, 'ics'),
    services: calendarServices(url, site.name),
    browsers: phoneBrowsers(pageUrl),
    pageUrl,
    qrCode: await qrCodeOf(pageUrl),
    agenda: agendaFrom(items, chips, { today: todayAt(site, now), firstDay }),
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
    ? feedUrl(base, catalog.myFeeds, 'rss')
    : feedUrl(base, isSeveral ? catalog.allFeeds : first, 'rss', shown)
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
