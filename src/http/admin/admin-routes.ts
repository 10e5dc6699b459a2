import type { Router } from 'express'
import type { Site } from '../../feeds/site.ts'
import { fullClock, mediumDay, shortDayInWords } from '../../records/date-words.ts'
import { siteTimeAt, type SiteDateTime } from '../../records/site-time.ts'
import type { SiteContext } from '../context.ts'
import { notFound } from '../error-handler.ts'
import type { AdminActions } from './admin-actions.ts'
import type { AdminAccess } from './sessions.ts'
import { databasesPage } from './databases-page.ts'
import { followersPage } from './followers-page.ts'
import { linkRoutes } from './link-routes.ts'
import { createPasswordPages } from './password-pages.ts'
import { previewPage } from './preview-page.ts'
import { screensPage } from './screens-page.ts'
import { settingsPage } from './settings-page.ts'
import { statusPage } from './status-page.ts'

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
