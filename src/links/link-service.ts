import { randomBytes } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { createStoreAccess, type StoreError } from '../store/store-error.ts'
import { loadChanges, type VersionedDocuments } from '../store/store.ts'
import { isOpen, type FeedLink } from './feed-link.ts'
import { createLinkRegistry, type LinkEntry } from './link-registry.ts'
import { editLink, renewLink, revokeLink } from './link-edits.ts'
import type { EditedLink, LinkEdit, LinkRenewal, RenewedLink } from './link-edits.ts'
import {
  addLink,
  addLinks,
  storedLinkOf,
  storedLinks,
  type AddedLink,
  type AddedLinks,
  type ListedLink,
  type NewLink,
  type VersionedLink,
} from './stored-links.ts'

/** Poll interval. Changes on one replica reach the other replicas within this time. */
const pullMs = 2_000

const storeUsesMs = 10_000

/** Links that serve feeds now. */
export type OpenLinks = {
  readonly byId: (id: string) => LinkEntry | undefined
  readonly open: () => readonly FeedLink[]
}

/** Links as a running site uses them. */
export type ServedLinks = OpenLinks & {
  readonly find: (key: string) => LinkEntry | undefined
  readonly isLoaded: () => boolean
  /** Calls the listener whenever links change or end. */
  readonly onChange: (listener: () => void) => void
  readonly pull: () => Promise<boolean>
  /** Edits a link, if it still has the revision. */
  readonly edit: (id: string, edit: LinkEdit, revision?: number) => Promise<EditedLink>
  readonly storeFailure: () => StoreError | undefined
}

export type LinkService = ServedLinks & {
  /** Loads changes made by other replicas and by commands until aborted. */
  readonly poll: (signal: AbortSignal) => Promise<void>
  readonly list: () => Promise<readonly ListedLink[]>
  readonly add: (wish: NewLink & { readonly id?: string | undefined }) => Promise<AddedLink>
  /** Adds all links, or none. The first one gets the id. */
  readonly addAll: (wishes: readonly NewLink[], id: string) => Promise<AddedLinks>
  readonly get: (id: string) => Promise<VersionedLink | undefined>
  /** Gives a link a new key, if it still has the revision. The old one works for a while. */
  readonly renew: (id: string, renewal: LinkRenewal) => Promise<RenewedLink>
  readonly revoke: (id: string) => Promise<FeedLink | undefined>
}

/** Serves and manages feed links. Methods that use the store reject with a `StoreError`. */
export function createLinkService(
  store: VersionedDocuments,
  clock: Clock,
  log: Logger,
): LinkService {
  const { documents } = store
  const access = createStoreAccess(log)
  const listeners: (() => void)[] = []
  const notifyListeners = () => {
    for (const listener of listeners) listener()
  }
  const registry = createLinkRegistry(documents, clock.now, notifyListeners)
  const open = () => registry.all().filter((link) => isOpen(link, clock.now()))
  const pull = () => access.use('feed links', registry.pull, false)
  const pullChanges = loadChanges(store, pull)
  const logFailure = (error: unknown) => log.error({ err: error }, 'polling feed links failed')
  const storeUses = () => access.use('uses of feed links', registry.storeUses, undefined)

  const change = () => ({ now: clock.now(), random: randomBytes })

  /** Loads a change immediately on this replica. */
  async function changed<T>(changing: Promise<T>): Promise<T> {
    const result = await changing
    await pull()
    return result
  }

  return {
    find: registry.find,
    byId: registry.byId,
    isLoaded: registry.isLoaded,
    open,
    storeFailure: access.failure,
    onChange: (listener) => void listeners.push(listener),
    pull,
    async poll(signal) {
      let openCount = 0
      const notifyOfExpired = () => {
        if (open().length < openCount) notifyListeners()
        openCount = open().length
      }
      await Promise.all([
        every(
          clock,
          pullMs,
          signal,
          () => pullChanges()?.catch(logFailure).then(notifyOfExpired) ?? notifyOfExpired(),
        ),
        every(clock, storeUsesMs, signal, () => storeUses().catch(logFailure)),
      ])
      await storeUses()
    },
    async list() {
      await registry.storeUses()
      return storedLinks(documents)
    },
    add: (wish) => changed(addLink(documents, wish, change())),
    addAll: (wishes, id) => changed(addLinks(documents, wishes, { ...change(), id })),
    get: (id) => storedLinkOf(documents, id),
    edit: (id, edit, revision) => changed(editLink(documents, id, edit, { ...change(), revision })),
    renew: (id, renewal) => changed(renewLink(documents, id, { ...renewal, ...change() })),
    revoke: (id) => changed(revokeLink(documents, id, change())),
  }
}
