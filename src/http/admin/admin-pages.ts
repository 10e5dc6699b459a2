import { DateTime } from 'luxon'
import { CollectionUnavailable } from '../../collections/collection.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { withFallback } from '../../store/store-error.ts'
import { addressWarning } from '../../links/address-warning.ts'
import type { ListedLink } from '../../links/stored-links.ts'
import type { Profile } from '../../records/profile.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import type { SubscriptionDoctor } from '../pages/subscription-doctor.ts'
import type { ServiceStatus } from '../monitoring/monitoring-routes.ts'
import type { RenderPage } from '../templates.ts'
import { linkSorts, plainView } from './link-list.ts'
import { profileTexts, type LinkPages, type ShownForm } from './link-pages.ts'

export type AdminPageOptions = {
  readonly site: Site
  readonly feeds: readonly Feed[]
  readonly publicFeeds: readonly Feed[]
  readonly status: () => Promise<ServiceStatus>
  readonly listLinks: () => Promise<readonly ListedLink[]>
  readonly overviews: FeedOverviews
  readonly linkPages: Pick<LinkPages, 'listPage' | 'formParts'>
  readonly doctor: Pick<SubscriptionDoctor, 'checkPublic'>
  readonly render: RenderPage
}

export type AdminPages = ReturnType<typeof createAdminPages>

/** Creates the admin pages. `token` is the CSRF token for the session's forms. */
export function createAdminPages(options: AdminPageOptions) {
  const { site, feeds, publicFeeds, overviews, linkPages, doctor, render } = options

  /** Returns a feed's overview; undefined if its records are unavailable. */
  async function overviewIfAny(feed: Feed, profile: Profile) {
    try {
      return await overviews.read(feed, profile)
    } catch (error) {
      if (!(error instanceof CollectionUnavailable)) throw error
      return undefined
    }
  }

  const time = (instant: string | null | undefined) =>
    instant === null || instant === undefined
      ? undefined
      : DateTime.fromISO(instant, { zone: site.timeZone, locale: 'en' }).toFormat('LLL d, h:mm a')

  return {
    signIn: (fault = '') => render('admin-sign-in', { fault }),

    async overview(
      token: string,
      shown: ShownForm & {
        /** Explains why the requested action failed. */
        readonly notice?: string
        /** Confirms the change to a link that led to this page. */
        readonly change?: string | undefined
      } = {},
    ): Promise<string> {
      const [status, links] = await Promise.all([
        options.status(),
        withFallback(options.listLinks, () => undefined),
      ])
      const { view = plainView, notice, change } = shown
      return render('admin', {
        token,
        status,
        time,
        notice,
        change,
        view,
        sorts: Object.entries(linkSorts),
        linkCount: links?.length,
        list: links && linkPages.listPage(links, view),
        ...linkPages.formParts(shown),
      })
    },

    /** Shows whether apps can reach the public feeds. */
    address: async (token: string): Promise<string> =>
      render('admin-address', {
        token,
        publicUrl: site.publicUrl,
        warning: addressWarning(site.publicUrl),
        address: await doctor.checkPublic(publicFeeds),
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
