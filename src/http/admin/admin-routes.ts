import type { Router } from 'express'
import type { Site } from '../../feeds/site.ts'
import type { LinkService } from '../../links/link-service.ts'
import { fullClock, mediumDay, shortDayInWords } from '../../records/date-words.ts'
import { siteTimeAt, type SiteDateTime } from '../../records/site-time.ts'
import type { Documents } from '../../store/store.ts'
import type { EmergencyEditor } from '../board/emergency-text.ts'
import type { SiteContext } from '../context.ts'
import { notFound } from '../error-handler.ts'
import type { AdminAccess } from './sessions.ts'
import { databasesPage, type DatabaseReader } from './databases-page.ts'
import { followersPage } from './followers-page.ts'
import { linkRoutes } from './link-routes.ts'
import { createPasswordPages, type PasswordPages } from './password-pages.ts'
import { previewPage } from './preview-page.ts'
import { screensPage } from './screens-page.ts'
import { settingsPage, type SettingsEditor } from './settings-page.ts'
import { statusPage, type MessageActions } from './status-page.ts'

export type AdminActions = {
  readonly links: LinkService
  readonly settings: SettingsEditor
  readonly databases: DatabaseReader
  readonly messages: MessageActions
  readonly emergency: EmergencyEditor
  readonly password: string
  /** False if `PUBLIC_URL` is not set. The public URL is then the URL that the server listens on. */
  readonly isPublicUrlSet: boolean
  /** Stores the sessions, which persist across restarts. */
  readonly documents: Documents
  /** Returns the number of API calls in each of the last 24 hours, the latest last. */
  readonly callsPerHour: () => Promise<readonly number[]>
}

export type AdminContext = SiteContext &
  Pick<PasswordPages, 'page' | 'form'> & { readonly actions: AdminActions } & ReturnType<
    typeof datesAt
  >

/** Formats days and times in the site's time zone. Returns undefined for a missing instant. */
function datesAt({ timeZone, language }: Site) {
  const inWords =
    (words: (time: SiteDateTime) => string) => (instant: string | number | null | undefined) =>
      instant === null || instant === undefined
        ? undefined
        : words(siteTimeAt(new Date(instant).getTime(), timeZone))
  return {
    dayOf: inWords((time) => mediumDay(time.slice(0, 10), language)),
    timeOf: inWords(
      (time) =>
        `${shortDayInWords(time.slice(0, 10), time, language)}, ${fullClock(time, language)}`,
    ),
  }
}

/** Serves `/admin`: feed links, status and previews. Requires the admin password. */
export function adminRoutes(
  site: SiteContext & { readonly actions: AdminActions; readonly access: AdminAccess },
): Router {
  const { isPublicUrlSet } = site.actions
  const { publicUrl } = site.site
  const pages = createPasswordPages({ ...site, path: '/admin', publicUrl, isPublicUrlSet })
  const context = { ...site, ...pages, ...datesAt(site.site) }
  linkRoutes(context)
  statusPage(context)
  previewPage(context)
  screensPage(context)
  settingsPage(context)
  databasesPage(context)
  if (site.following) followersPage(context, site.following)
  pages.router.use('/admin', notFound)
  return pages.router
}
