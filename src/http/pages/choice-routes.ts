import { Router, type Request, type RequestHandler, type Response } from 'express'
import { feedUrl } from '../../feeds/feed.ts'
import { nameOf, type Site } from '../../feeds/site.ts'
import type { LinkChoice } from '../../links/feed-link.ts'
import type { LinkEntry } from '../../links/link-registry.ts'
import { formOf, readForm } from '../admin/requests.ts'
import type { SiteContext } from '../context.ts'
import { linkPrefix, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { createClientLimit } from '../server/client-limit.ts'
import { LinkClosed, TooManyRequests } from '../server/errors.ts'
import { allowForms } from '../server/security-headers.ts'
import { sendMessage } from '../server/send-message.ts'
import { choiceWithChips } from './calendar-chips.ts'
import { calendarServices, type CalendarServices } from './calendar-services.ts'
import { choiceForm, readChoiceForm, type ChoiceGroup } from './choice-form.ts'
import type { HomePage } from './home-page.ts'

/** Burst and refill interval for saving, per client. */
const saves = { maxConcurrent: 10, oneMoreMs: 5_000 }

const otherOriginText =
  'This form was submitted from a page at another address. Open the page of your feed link and save there.'

/** The section of a link's page with its combined feeds and the form that chooses their content. */
export type ChoiceSection = {
  readonly groups: readonly ChoiceGroup[]
  readonly isSaved: boolean
  /** Titles of the feeds that are empty, because the link no longer includes what they show. */
  readonly emptyTitles: readonly string[]
  /** Why the form was not saved. */
  readonly faults: readonly string[]
  /** URL of `my.ics`; undefined if the link has no calendars. */
  readonly calendarUrl: string | undefined
  readonly services: CalendarServices | undefined
  /** True if `my.ics` also has the own entries of the member whom the link is for. */
  readonly isPersonal: boolean
  /** URL of `my.rss`; undefined if the link has no news. */
  readonly newsUrl: string | undefined
}

/** Replaces the saved choice on a page that is shown again because the form was invalid. */
export type InvalidChoice = { readonly choice: LinkChoice; readonly faults: readonly string[] }

type ShowAgain = (request: Request, response: Response, invalid: InvalidChoice) => Promise<void>

export type LinkChoices = {
  /** Returns undefined for pages that do not belong to a link. */
  readonly sectionFor: (
    viewer: Viewer,
    query: URLSearchParams,
    invalid?: InvalidChoice,
  ) => ChoiceSection | undefined
  /** Serves both forms. Shows the page of an invalid form again. */
  readonly router: (pages: {
    readonly showHome: ShowAgain
    readonly showFeeds: ShowAgain
  }) => Router
}

/** Returns true for the pages of feed links, which have the form. */
export function isLinkPage(path: string): boolean {
  return /^\/l\/[^/]+\/(?:feeds)?$/.test(path)
}

export function createLinkChoices(context: SiteContext, homePage: HomePage): LinkChoices {
  const { site, catalog, overviews, links, isOffered, clock } = context
  const { myFeeds: feed } = catalog
  const limit = createClientLimit(clock, saves)

  const readableBy = ({ feeds }: Viewer) => feeds.filter(isOffered)

  const requireSameOrigin: RequestHandler = ({ headers }, response, next) => {
    if (isOwnOrigin(headers, site)) return next()
    sendMessage(response, 403, otherOriginText)
  }

  return {
    sectionFor(viewer, query, invalid) {
      const { link, base, profile } = viewer
      if (!link) return undefined
      const readable = readableBy(viewer)
      const choice = invalid?.choice ?? choiceOf(link)
      const partsOf = (each: (typeof readable)[number]) => overviews.of(each, profile)?.parts ?? []
      const groups = choiceForm({ feed, readable, partsOf }, choice)
      if (groups.length === 0) return undefined
      const has = (kind: ChoiceGroup['kind']) => groups.some((group) => group.kind === kind)
      const calendarUrl = has('calendar') ? feedUrl(base, feed, 'ics') : undefined
      return {
        groups,
        isSaved: !invalid && query.has('saved'),
        emptyTitles: groups.flatMap(({ title, isWithdrawn }) =>
          isWithdrawn && !invalid ? title : [],
        ),
        faults: invalid?.faults ?? [],
        calendarUrl,
        services:
          calendarUrl === undefined ? undefined : calendarServices(calendarUrl, nameOf(site)),
        isPersonal: calendarUrl !== undefined && link.link.memberId !== undefined,
        newsUrl: has('news') ? feedUrl(base, feed, 'rss') : undefined,
      }
    },
    router({ showHome, showFeeds }) {
      const router = Router({ caseSensitive: true, strict: true })
      const save: RequestHandler = async (request, response) => {
        const waitMs = limit.take(request.ip ?? '')
        if (waitMs !== undefined) throw new TooManyRequests('too many saves', waitMs)
        const viewer = viewerFrom(response, 'form')
        const { link } = viewer
        if (!link) throw new LinkClosed('form')
        const posted = formOf(request)
        // Only the form on the home page has this field.
        const isChips = posted.has('show')
        const reading = isChips
          ? choiceWithChips(feed, homePage.chipsOf(viewer), { posted, before: choiceOf(link) })
          : readChoiceForm({ feed, readable: readableBy(viewer) }, posted)
        if (!reading.ok) {
          response.status(400)
          return (isChips ? showHome : showFeeds)(request, response, reading)
        }
        const edited = await links.edit(link.link.id, { choice: reading.choice })
        if (!edited.ok) throw new LinkClosed('form')
        response.redirect(303, isChips ? './?saved=1' : 'feeds?saved=1#my')
      }
      for (const path of ['/', '/feeds']) {
        router.post(`${linkPrefix}${path}`, allowForms, requireSameOrigin, readForm, save)
      }
      return router
    },
  }
}

function choiceOf({ link }: LinkEntry): LinkChoice {
  return link.choice ?? { calendar: '', news: '' }
}

/** Returns true if a form comes from this service, under its public URL or the URL of the request. */
function isOwnOrigin(
  { origin, host }: { readonly origin?: string | undefined; readonly host?: string | undefined },
  { publicUrl }: Site,
): boolean {
  if (origin === undefined || origin === new URL(publicUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
