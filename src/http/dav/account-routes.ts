import { readProfileSigner, type ProfileSigner } from '../../config/profile-signer.ts'
import type { SiteContext } from '../context.ts'
import { linkPrefix, viewerFrom, type Viewer } from '../feeds/viewer.ts'
import { pageRoutes } from '../pages/page-handler.ts'
import { getRoute, type Route } from '../server/shared-router.ts'
import { accountProfile, profileType, type DavAccount } from './account-profile.ts'
import { signProfile } from './sign-profile.ts'

/** Serves the account page of a link, and the profile that adds the account to an Apple device. */
export function accountRoutes(context: SiteContext): readonly Route[] {
  const profile = getRoute(
    `${linkPrefix}/iphone.mobileconfig`,
    async (_request, response, next) => {
      const account = accountOf(context, viewerFrom(response, 'file'))
      if (!account) return next()
      response.set('Cache-Control', 'private, no-store').type(profileType)
      const profile = accountProfile(account)
      const signer = signerOf(context)
      response.send(signer ? await signProfile(profile, signer, context.clock.now()) : profile)
    },
  )
  return [
    profile,
    ...pageRoutes(context, [
      {
        path: '/account',
        prefixes: [linkPrefix],
        show: async ({ context, viewer, render }) => {
          const account = accountOf(context, viewer)
          const isSigned = signerOf(context) !== undefined
          return account && render('account', { ...account, isSigned, appUrl: appUrlOf(account) })
        },
      },
    ]),
  ]
}

/** Reads the current certificate, which may have been renewed. Without one, profiles are unsigned. */
function signerOf({ profileSigner, clock, log }: SiteContext): ProfileSigner | undefined {
  const read = profileSigner && readProfileSigner(profileSigner, clock.now())
  if (!read || 'signer' in read) return read?.signer
  log.warn({ reason: read.fault }, 'profiles for Apple devices are not signed')
  return undefined
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
