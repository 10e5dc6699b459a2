import { randomBytes } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import { createStoreAccess, type StoreError } from '../store/store-error.ts'
import { loadChanges, type VersionedDocuments } from '../store/store.ts'
import { isOpen, type FeedLink } from './feed-link.ts'
import { createLinkRegistry, type LinkEntry } from './link-registry.ts'
import { editLink, renewLink, revokeLink } from './link-edits.ts'
import type { EditedLink, LinkEdit, LinkRenewal } from './link-edits.ts'
import {
  addLink,
  addLinks,
  storedLinkOf,
  storedLinks,
  type ListedLink,
  type NewLink,
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
  readonly onChange: (listener: () => void) => void
  readonly pull: () => Promise<boolean>
  readonly edit: (id: string, edit: LinkEdit, revision?: number) => Promise<EditedLink>
  readonly storeFailure: () => StoreError | undefined
}

export type LinkService = ReturnType<typeof createLinkService>

/** Serves and manages feed links. Methods that use the store reject with a `StoreError`. */
export function createLinkService(store: VersionedDocuments, clock: Clock, log: Logger) {
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
    /** Returns the links that serve feeds now. */
    open,
    storeFailure: access.failure,
    /** Calls the listener whenever links change or end. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    pull,
    /** Loads changes made by other replicas and by commands until aborted. */
    poll: async (signal: AbortSignal): Promise<void> => {
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
    list: async (): Promise<readonly ListedLink[]> => {
      await registry.storeUses()
      return storedLinks(documents)
    },
    add: (wish: Parameters<typeof addLink>[1]) => changed(addLink(documents, wish, change())),
    /** Adds all links, or none. The first one gets the id. */
    addAll: (wishes: readonly NewLink[], id: string) =>
      changed(addLinks(documents, wishes, { ...change(), id })),
    get: (id: string) => storedLinkOf(documents, id),
    /** Edits a link, if it still has the revision. */
    edit: (id: string, edit: LinkEdit, revision?: number) =>
      changed(editLink(documents, id, edit, { ...change(), revision })),
    /** Gives a link a new key, if it still has the revision. The old one works for a while. */
    renew: (id: string, renewal: LinkRenewal) =>
      changed(renewLink(documents, id, { ...renewal, ...change() })),
    revoke: (id: string) => changed(revokeLink(documents, id, change())),
  }
}
