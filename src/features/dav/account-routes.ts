import type { RequestHandler } from 'express'
import { readProfileSigner, type ProfileSigner } from '../../config/profile-signer.ts'
import { siteOf, type SiteContext } from '../../web/context.ts'
import { viewerFrom, type Viewer } from '../../web/viewer.ts'
import type { Page } from '../../web/page-handler.ts'
import { accountProfile, profileType, type DavAccount } from './account-profile.ts'
import { signProfile } from './sign-profile.ts'

/** Sends the profile that adds a link's account to an Apple device. */
export const sendProfile: RequestHandler = async (_request, response, next) => {
  const site = siteOf(response)
  const account = accountOf(site, viewerFrom(response, 'file'))
  if (!account) return next()
  response.type(profileType)
  const profile = accountProfile(account)
  const signer = signerOf(site)
  response.send(signer ? await signProfile(profile, signer, site.clock.now()) : profile)
}

/** Explains how to add a link's account. */
export const accountPage: Page = {
  async show({ context, viewer, render }) {
    const account = accountOf(context, viewer)
    const isSigned = signerOf(context) !== undefined
    return account && render('dav/account', { ...account, isSigned, appUrl: appUrlOf(account) })
  },
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
