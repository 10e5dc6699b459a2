import type { TimeSource } from '../clock.ts'
import { acceptHeld, keepHolding } from '../collections/copy/held-decisions.ts'
import type { Collections } from '../collections/collections.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import { memberFault } from '../feeds/personal-members.ts'
import { memberChoicesFrom } from '../http/admin/link-form.ts'
import type { LinkService } from '../links/link-service.ts'
import type { AlertSite } from './notifications/alert-notices.ts'
import { createMessageActions, type Channels } from './notifications/site-notifications.ts'

export function createAdminActions(
  parts: Pick<
    AdminActions,
    'password' | 'isPublicUrlSet' | 'documents' | 'settings' | 'emergency' | 'databases'
  > & {
    readonly links: LinkService
    readonly collections: Collections
    readonly refreshTokenFingerprint: () => string
    readonly channels: Channels
    readonly alertSite: AlertSite
    readonly clock: TimeSource
  },
): AdminActions {
  const { documents, links, collections, clock } = parts
  return {
    ...parts,
    listLinks: links.list,
    messages: createMessageActions(parts),
    knownMembers() {
      const copy = collections.copyOf('members')
      return copy && memberChoicesFrom(copy.records)
    },
    memberFault: (link) =>
      memberFault(
        link,
        collections.copyOf('members')?.records,
        !collections.isSwitchedOff('members'),
      ),
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
