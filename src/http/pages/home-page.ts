import { feedUrl, type Feed } from '../../feeds/feed.ts'
import { nameOf, todayAt } from '../../feeds/site.ts'
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
import {
  calendarServices,
  newsReaders,
  type CalendarServices,
  type NewsReaders,
} from './calendar-services.ts'
import { agendaFrom, type AgendaGroup } from './home-agenda.ts'
import { storiesFrom, type Story } from './home-news.ts'
import { qrCodeOf } from './qr-code.ts'

/** Number of news stories. */
const shownStories = 4

/** Number of chips that are shown at once, so that the button stays in sight on a small phone. */
const shownChips = 5

const withdrawnText =
  'The calendars that were chosen are no longer available. Please choose others.'

export type HomePage = {
  /** Returns the calendars that a viewer can choose, with those chosen that the link has saved. */
  readonly chipsOf: (viewer: Viewer) => readonly Chip[]
  /** Returns the contents of the page. Options in the query choose calendars on the public page. */
  readonly contentFor: (viewer: Viewer, query: URLSearchParams) => Promise<HomeContent>
}

export type HomeContent = {
  readonly calendar: HomeCalendar | undefined
  readonly news: HomeNews | undefined
  /** Explains why a choice was not accepted. */
  readonly fault: string | undefined
}

export type HomeCalendar = {
  /** Calendars to choose; empty if there is nothing to choose. */
  readonly chips: readonly Chip[]
  /** Chips that are shown only after people open them. */
  readonly moreChips: readonly Chip[]
  /** URL of the chosen calendars, and without a choice. */
  readonly url: string
  readonly plainUrl: string
  readonly services: CalendarServices
  /** URL of this page with the same choice, for other devices. */
  readonly pageUrl: string
  readonly qrCode: string
  readonly agenda: readonly AgendaGroup[]
  /** The month to print, like `2026-12`. */
  readonly month: string
  /** True until the website has been read. */
  readonly isLoading: boolean
  /** True if the calendar also has the own entries of the member whom the link is for. */
  readonly isPersonal: boolean
}

export type HomeNews = {
  readonly url: string
  readonly readers: NewsReaders
  readonly stories: readonly Story[]
  /** True if there is a page with all stories. */
  readonly hasArchive: boolean
  readonly isLoading: boolean
}

export function createHomePage(context: SiteContext): HomePage {
  const { site, catalog, overviews, isOffered, clock } = context

  const combinedFor = ({ link }: Viewer) => (link ? catalog.myFeeds : catalog.allCalendars)

  const readableBy = ({ feeds }: Viewer) => feeds.filter(isOffered)

  const calendarsOf = (viewer: Viewer) =>
    readableBy(viewer)
      .filter(({ formats }) => formats.includes('ics'))
      .toSorted((a, b) => rankOf(a) - rankOf(b))

  function chipsOf(viewer: Viewer): readonly Chip[] {
    return chipsFor(calendarsOf(viewer), {
      partsOf: (feed) => overviews.of(feed, viewer.profile)?.parts ?? [],
      show: showIn(catalog.myFeeds, viewer.link?.link.choice),
      isPublic: viewer.link === undefined && !site.isStatic,
    })
  }

  function itemsOf(feeds: readonly Feed[], { profile }: Viewer) {
    const known = feeds.map((feed) => overviews.of(feed, profile))
    const items = known.flatMap((overview) => overview?.board ?? [])
    return { items, isLoading: known.every((overview) => overview === undefined) }
  }

  async function calendarFor(
    viewer: Viewer,
    chips: readonly Chip[],
    isComposed: boolean,
  ): Promise<HomeCalendar | undefined> {
    const feeds = calendarsOf(viewer)
    const [first] = feeds
    if (!first) return undefined
    const { link, base } = viewer
    const isWithdrawn = chips.every(({ isChosen }) => !isChosen)
    const hasChoice = (chips.length > 1 || isWithdrawn) && !site.isStatic
    // A site with a single calendar has no combined one.
    const feed = feeds.length > 1 || hasChoice || link ? combinedFor(viewer) : first
    const { list, isEverything } = showFrom(chips)
    const isSelection = !link && hasChoice && !isEverything
    const plainUrl = feedUrl(base, feed, 'ics')
    const url = feedUrl(base, feed, 'ics', isSelection ? `show=${list}` : '')
    const pageUrl = `${base}/${isComposed ? `?show=${list}` : ''}`
    const { items, isLoading } = itemsOf(feeds, viewer)
    const now = clock.now()
    const firstDay = siteDateAt(now, site.timeZone)
    // A fold for a single chip would take as much space.
    const foldAt = chips.length <= shownChips + 1 ? chips.length : shownChips
    return {
      chips: hasChoice ? chips.slice(0, foldAt) : [],
      moreChips: hasChoice ? chips.slice(foldAt) : [],
      url,
      plainUrl,
      services: calendarServices(url, nameOf(site)),
      pageUrl,
      qrCode: await qrCodeOf(pageUrl),
      agenda: agendaFrom(items, chips, { today: todayAt(site, now), firstDay }),
      month: firstDay.slice(0, 7),
      isLoading,
      isPersonal: link?.link.memberId !== undefined,
    }
  }

  function newsFor(viewer: Viewer): HomeNews | undefined {
    const feeds = readableBy(viewer).filter(({ boardRole }) => newsRoles.includes(boardRole))
    const [first] = feeds
    if (!first) return undefined
    const { link, base } = viewer
    const { items, isLoading } = itemsOf(feeds, viewer)
    const url = feedUrl(base, link ? catalog.myFeeds : first, 'rss')
    const stories = storiesFrom(context, items, {
      limit: shownStories,
      use: 'thumbnail',
      now: clock.now(),
    })
    const hasArchive = feeds.some(({ boardRole }) => boardRole === 'story')
    return { url, readers: newsReaders(url), stories, hasArchive, isLoading }
  }

  return {
    chipsOf,
    async contentFor(viewer, query) {
      const byDefault = chipsOf(viewer)
      const isComposed = !viewer.link && query.has('show')
      const chosen = isComposed ? withChosen(byDefault, query.getAll('show')) : byDefault
      const isValid = chosen.some(({ isChosen }) => isChosen) || chosen.length === 0
      return {
        calendar: await calendarFor(viewer, isValid ? chosen : byDefault, isComposed),
        news: newsFor(viewer),
        fault: isValid ? undefined : isComposed ? noneChosenText : withdrawnText,
      }
    },
  }
}

/** Roles of the items below the calendar. */
const newsRoles: readonly FeedRole[] = ['story', 'announcement', 'post']

/** Orders calendars by how many people want them: public events before members' calendars. */
function rankOf({ boardRole, repeats }: Feed): number {
  const roles = ['agenda', 'volunteers', 'bookings']
  return 2 * roles.indexOf(boardRole) + (repeats === undefined ? 0 : 1)
}
