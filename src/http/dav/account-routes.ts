import { Router } from 'express'
import type { SiteContext } from '../context.ts'
import { linkPrefix, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { pageRouter } from '../pages/page-handler.ts'
import { accountProfile, profileType, type DavAccount } from './account-profile.ts'

/** Serves the account page of a link, and the profile that adds the account to an Apple device. */
export function accountRoutes(context: SiteContext): Router {
  const router = Router({ caseSensitive: true, strict: true })
  router.get(`${linkPrefix}/iphone.mobileconfig`, (_request, response, next) => {
    const account = accountOf(context, viewerFrom(response, 'file'))
    if (!account) return next()
    response.set('Cache-Control', 'private, no-store').type(profileType)
    response.send(accountProfile(account))
  })
  router.use(
    pageRouter(context, [
      {
        path: '/account',
        prefixes: [linkPrefix],
        show: async ({ context, viewer, render }) => {
          const account = accountOf(context, viewer)
          return account && render('account', { ...account, appUrl: appUrlOf(account) })
        },
      },
    ]),
  )
  return router
}

/** Returns the account of a viewer's link, or undefined if the site offers none. */
function accountOf({ site, syncLogs }: SiteContext, viewer: Viewer): DavAccount | undefined {
  const { link, base, hasMembers } = viewer
  return (
    link &&
    syncLogs && {
      serverUrl: `${site.publicUrl}/dav/`,
      user: link.link.id,
      password: base.slice(base.lastIndexOf('/') + 1),
      title: site.name,
      hasContacts: hasMembers,
    }
  )
}

/** Returns a URL that opens DAVx⁵ with the account filled in. */
function appUrlOf({ serverUrl, user, password }: DavAccount): string {
  return serverUrl.replace(/^http(s?):\/\//, `caldav$1://${user}:${password}@`)
}
