import type { Clock } from '../clock.ts'
import { acceptHeld } from '../collections/copy/accept-held.ts'
import type { Collections } from '../collections/collections.ts'
import { keepHolding } from '../collections/copy/keep-holding.ts'
import type { Config } from '../config/config.ts'
import type { AdminActions } from '../http/admin/admin-routes.ts'
import { Unavailable } from '../http/server/unavailable.ts'
import type { LinkService } from '../links/link-service.ts'
import { StoreError } from '../store/store-error.ts'
import type { Documents } from '../store/store.ts'

const retryAfterMs = 10_000

/** Returns the actions of the admin page; undefined without a password. */
export function createAdminActions(
  { adminPassword: password, publicUrl }: Pick<Config, 'adminPassword' | 'publicUrl'>,
  parts: {
    readonly documents: Documents
    readonly links: LinkService
    readonly collections: Pick<Collections, 'load'>
    readonly clock: Pick<Clock, 'now'>
  },
): AdminActions | undefined {
  if (password === undefined) return undefined
  const { documents, links, collections, clock } = parts
  return {
    password,
    isPublicUrlSet: publicUrl !== undefined,
    documents: {
      all: orUnavailable(documents.all),
      get: orUnavailable(documents.get),
      write: orUnavailable(documents.write),
    },
    listLinks: orUnavailable(links.list),
    addLink: orUnavailable(links.add),
    revokeLink: orUnavailable(links.revoke),
    acceptHeld: orUnavailable(async (resource, version) => {
      const result = await acceptHeld(documents, resource, { now: clock.now(), version })
      await collections.load()
      return result
    }),
    keepHolding: orUnavailable(async (resource) => {
      const result = await keepHolding(documents, resource)
      await collections.load()
      return result
    }),
  }
}

/** Wraps an action so that a store failure becomes a message for the page. */
function orUnavailable<Given extends readonly unknown[], Result>(
  work: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => {
    try {
      return await work(...given)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      const text = 'The store cannot be reached right now. Please try again shortly.'
      throw new Unavailable(text, retryAfterMs, error)
    }
  }
}
