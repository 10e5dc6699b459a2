import { DateTime } from 'luxon'
import type { TimeSource } from '../../clock.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { addressWarning } from '../../links/address-warning.ts'
import type { AppFetches } from '../../links/link-use.ts'
import { withFallback } from '../../store/store-error.ts'
import { ownCheckAgent, type Viewer } from '../feeds/viewer.ts'
import { appRefreshesFrom, type AppRefresh } from './app-refreshes.ts'
import { createOwnAddressCheck, type OwnAddressReport } from './own-address-check.ts'

/** The part of a link's page that shows which apps refresh the link, and whether they can. */
export type DoctorSection = {
  /** Undefined while the store is down. */
  readonly apps: readonly AppRefresh[] | undefined
  /** Name of the site's time zone. */
  readonly timeZone: string
  /** Explains why phones cannot use the public URL. */
  readonly warning: string | undefined
  /** True if a check was requested, so that the page is for one reader at one moment. */
  readonly isChecked: boolean
  /** True if Google's servers have read the link recently, so the address is reachable from outside. */
  readonly isReachable: boolean
  readonly address: ShownAddressReport | undefined
}

/** A report in words, or the reason why the address was not checked. */
export type ShownAddressReport =
  | { readonly isBusy: true }
  | ({ readonly isBusy: false; readonly checked: string } & OwnAddressReport)

export type SubscriptionDoctor = {
  /** Returns the section for a link; undefined for the public page. */
  readonly sectionFor: (
    viewer: Viewer,
    query: URLSearchParams,
  ) => Promise<DoctorSection | undefined>
  /** Checks the addresses of public feeds. Resolves to undefined if none is available. */
  readonly checkPublic: (feeds: readonly Feed[]) => Promise<ShownAddressReport | undefined>
  readonly appsFrom: (fetches: readonly AppFetches[]) => readonly AppRefresh[]
}

/** Creates the diagnosis of subscriptions for the link's page and the admin page. */
export function createSubscriptionDoctor(options: {
  readonly site: Site
  readonly clock: TimeSource
  readonly isOffered: (feed: Feed) => boolean
}): SubscriptionDoctor {
  const { clock, isOffered } = options
  const { publicUrl, timeZone } = options.site
  const { check } = createOwnAddressCheck(publicUrl, clock)
  const appsFrom = (fetches: readonly AppFetches[]) =>
    appRefreshesFrom(fetches, { now: clock.now(), timeZone })

  async function shownReport(
    base: string,
    feeds: readonly Feed[],
    userAgent: string,
  ): Promise<ShownAddressReport | undefined> {
    const offered = feeds.filter(isOffered)
    if (offered.length === 0) return undefined
    const report = await check(base, offered, userAgent)
    if (!report) return { isBusy: true }
    const at = DateTime.fromMillis(report.checkedAt, { zone: timeZone, locale: 'en' })
    return { ...report, isBusy: false, checked: at.toFormat('LLLL d, h:mm a') }
  }

  return {
    appsFrom,
    checkPublic: (feeds) => shownReport(publicUrl, feeds, 'Feedhouse check'),
    async sectionFor({ link, base, feeds }, query) {
      if (!link) return undefined
      const fetches = await withFallback(link.fetches, () => undefined)
      const isChecked = query.get('check') === '1'
      const apps = fetches && appsFrom(fetches)
      return {
        apps,
        isReachable:
          apps?.some(({ app, state }) => app === 'Google' && state === 'on time') === true,
        timeZone,
        warning: addressWarning(publicUrl),
        isChecked,
        address: isChecked ? await shownReport(base, feeds, ownCheckAgent(link)) : undefined,
      }
    },
  }
}
