import { randomBytes } from 'node:crypto'
import { DateTime } from 'luxon'
import type { Clock } from '../../clock.ts'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { withFallback } from '../../store/store-error.ts'
import { addressWarning } from '../../links/address-warning.ts'
import { stateOf } from '../../links/feed-link.ts'
import { newLinkId, type ListedLink } from '../../links/stored-links.ts'
import type { Profile } from '../../records/profile.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import type { QrCodes } from '../pages/qr-code.ts'
import type { ServiceStatus } from '../monitoring/monitoring-routes.ts'
import type { RenderPage } from '../templates.ts'
import { emptyLinkForm, type LinkForm } from './link-form.ts'

export type AdminPageOptions = {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly status: () => Promise<ServiceStatus>
  readonly listLinks: () => Promise<readonly ListedLink[]>
  readonly overviews: FeedOverviews
  readonly qrCodes: QrCodes
  readonly render: RenderPage
  readonly clock: Pick<Clock, 'now'>
}

/** Descriptions of the profiles, shown to the admin who creates a link. */
const profileTexts: Readonly<Record<Profile, string>> = {
  public: 'Everything that anyone can read without a link.',
  members:
    'Everything that members may see, including event contacts, but not the names of people who rent or sign up.',
  full: 'Everything, including the names of people who rent or sign up, and unpublished records.',
}

export type AdminPages = ReturnType<typeof createAdminPages>

/** Creates the admin pages. `token` is the CSRF token for the session's forms. */
export function createAdminPages(options: AdminPageOptions) {
  const { site, feeds, publicFeeds, overviews, qrCodes, render, clock } = options

  /** Returns a feed's overview; undefined if its records are unavailable. */
  async function overviewIfAny(feed: Feed, profile: Profile) {
    try {
      return await overviews.read(feed, profile)
    } catch (error) {
      if (!(error instanceof CollectionUnavailable)) throw error
      return undefined
    }
  }

  const inWords = (format: string) => (instant: string | number | null | undefined) =>
    instant === null || instant === undefined
      ? undefined
      : DateTime.fromMillis(new Date(instant).getTime(), {
          zone: site.timeZone,
          locale: 'en',
        }).toFormat(format)
  const time = inWords('LLL d, h:mm a')
  const day = inWords('LLL d, yyyy')

  const listed = (link: ListedLink) => ({
    ...link,
    state: stateOf(link, clock.now()),
    feeds: link.feedIds?.join(', ') ?? 'all',
    created: day(link.createdAt),
    expires: day(link.expiresAt),
    revoked: day(link.revokedAt),
    lastUsed: time(link.lastUse?.at),
  })

  return {
    signIn: (fault = '') => render('admin-sign-in', { fault }),

    async overview(
      token: string,
      shown: {
        readonly form?: LinkForm
        readonly faults?: readonly string[]
        /** Explains why the requested action failed. */
        readonly notice?: string
      } = {},
    ): Promise<string> {
      const [status, links] = await Promise.all([
        options.status(),
        withFallback(options.listLinks, () => undefined),
      ])
      return render('admin', {
        token,
        status,
        feeds,
        profileTexts,
        time,
        form: emptyLinkForm(newLinkId(randomBytes)),
        faults: [],
        ...shown,
        links: links?.map(listed),
      })
    },

    /** Shows a new link with its URL, which is never shown again. */
    newLink: async (token: string, link: ListedLink, url: string): Promise<string> =>
      render('admin-link', {
        token,
        url,
        link: listed(link),
        qrCode: await qrCodes.svgOf(url),
        warning: addressWarning(site.publicUrl),
      }),

    async preview(token: string, profile: Profile): Promise<string> {
      const shown = profile === 'public' ? publicFeeds : feeds
      const previews = await Promise.all(
        shown.map(async (feed) => ({ ...feed, overview: await overviewIfAny(feed, profile) })),
      )
      return render('admin-preview', { token, profile, text: profileTexts[profile], previews })
    },
  }
}
