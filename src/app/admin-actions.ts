import type { TimeSource } from '../clock.ts'
import { acceptHeld, keepHolding } from '../collections/copy/held-decisions.ts'
import type { Collections } from '../collections/collections.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import { memberFault } from '../feeds/personal-members.ts'
import { memberChoicesFrom } from '../http/admin/link-form.ts'
import type { AlertSite } from './notifications/alert-notices.ts'
import { createMessageActions, type Channels } from './notifications/site-notifications.ts'
import type { LinkService } from '../links/link-service.ts'
import type { Documents } from '../store/store.ts'

/** Returns the admin page's actions, or undefined if no admin password is set. */
export function createAdminActions(
  password: string | undefined,
  parts: {
    readonly isPublicUrlSet: boolean
    readonly documents: Documents
    readonly links: LinkService
    readonly settings: AdminActions['settings']
    readonly emergency: AdminActions['emergency']
    readonly collections: Collections
    readonly databases: AdminActions['databases']
    readonly refreshTokenFingerprint: () => string
    readonly channels: Channels
    readonly alertSite: AlertSite
    readonly clock: TimeSource
  },
): AdminActions | undefined {
  if (password === undefined) return undefined
  const { isPublicUrlSet, documents, links, collections } = parts
  const { settings, databases, emergency, clock } = parts
  return {
    password,
    isPublicUrlSet,
    documents,
    listLinks: links.list,
    links,
    settings,
    databases,
    emergency,
    messages: createMessageActions(parts),
    knownMembers() {
      const copy = collections.copyOf('members')
      return copy && memberChoicesFrom(copy.records)
    },
    memberFault: (link) =>
      memberFault(link, {
        members: collections.copyOf('members')?.records,
        isAllowed: !collections.isSwitchedOff('members'),
      }),
    async readMembers() {
      // The schedule reads the members only while a link names one.
      await collections.readDue('members')
      await collections.read('members')
    },
    async acceptHeld(resource, version) {
      const result = await acceptHeld(documents, resource, { now: clock.now(), version })
      await collections.load()
      return result
    },
    async keepHolding(resource) {
      const result = await keepHolding(documents, resource)
      await collections.load()
      return result
    },
  }
}
