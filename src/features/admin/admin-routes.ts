import type { Router } from 'express'
import { notFound } from '../../web/error-handler.ts'
import { adminContext } from './admin-context.ts'
import { databasesPage } from './databases-page.ts'
import { followersPage } from './followers-page.ts'
import { invitationsPage } from './invitations-page.ts'
import { linkRoutes } from './link-routes.ts'
import { createPasswordPages } from '../../web/password-pages.ts'
import { previewPage } from './preview-page.ts'
import { screensPage } from './screens-page.ts'
import { settingsPage } from './settings-page.ts'
import { statusPage } from './status-page.ts'

/** Serves `/admin`: feed links, status and previews. Requires the admin password. */
export function adminRouter(): Router {
  const pages = createPasswordPages('/admin', adminContext)
  linkRoutes(pages)
  statusPage(pages)
  previewPage(pages)
  screensPage(pages)
  settingsPage(pages)
  databasesPage(pages)
  followersPage(pages)
  invitationsPage(pages)
  pages.router.use('/admin', notFound)
  return pages.router
}
