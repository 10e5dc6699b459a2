import { randomBytes } from 'node:crypto'
import { every, type Clock } from '../clock.ts'
import { createStoreAccess, type StoreError } from '../store/store-error.ts'
import { isOpen, type FeedLink } from './feed-link.ts'
import { createLinkRegistry, type LinkRegistry } from './link-registry.ts'
import { editLink, revokeLink, type EditedLink, type LinkEdit } from './link-edits.ts'
import { renewLink, type LinkRenewal, type RenewedLink } from './link-renewal.ts'
import {
  addLink,
  addLinks,
  storedLinkOf,
  storedLinks,
  type AddedLink,
  type AddedLinks,
  type ListedLink,
  type NewLink,
} from './stored-links.ts'
import type { Logger } from '../log.ts'
import type { Documents } from '../store/store.ts'

/** Poll interval. A change on one replica reaches the other replicas within this time. */
const pullMs = 2_000

/** Link uses are written to the store once in this many pulls. */
const pullsUntilStored = 5

/** Serves and manages feed links. */
export type LinkService = {
  readonly find: LinkRegistry['find']
  readonly byId: LinkRegistry['byId']
  readonly isLoaded: LinkRegistry['isLoaded']
  /** Returns the links that serve feeds now. */
  readonly open: () => readonly FeedLink[]
  /** Calls the listener whenever links change or end. */
  readonly onChange: (listener: () => void) => void
  /** Explains why links cannot currently be read or stored. */
  readonly storeFailure: () => StoreError | undefined
  /** Loads the stored links. */
  readonly pull: () => Promise<void>
  /** Loads changes made by other replicas and by commands until aborted. */
  readonly poll: (signal: AbortSignal) => Promise<void>
  /** Lists all links. Like all methods below, rejects with a `StoreError` if the store is down. */
  readonly list: () => Promise<readonly ListedLink[]>
  readonly add: (wish: Parameters<typeof addLink>[1]) => Promise<AddedLink>
  /** Adds all links, or none. The first one gets the id. */
  readonly addAll: (wishes: readonly NewLink[], id: string) => Promise<AddedLinks>
  /** Returns a link and its revision; undefined if there is no such link. */
  readonly get: (id: string) => ReturnType<typeof storedLinkOf>
  /** Edits a link, if it still has the revision. */
  readonly edit: (id: string, edit: LinkEdit, revision?: number) => Promise<EditedLink>
  /** Gives a link a new key, if it still has the revision. The old key works for a while. */
  readonly renew: (id: string, renewal: LinkRenewal) => Promise<RenewedLink>
  /** Returns undefined if there is no such link. */
  readonly revoke: (id: string) => Promise<FeedLink | undefined>
}

export function createLinkService(
  documents: Documents,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): LinkService {
  const access = createStoreAccess(log)
  const listeners: (() => void)[] = []
  const notifyListeners = () => {
    for (const listener of listeners) listener()
  }
  const registry = createLinkRegistry(documents, { now: clock.now, onChange: notifyListeners })
  const open = () => registry.all().filter((link) => isOpen(link, clock.now()))
  const pull = () => access.use('feed links', registry.pull, undefined)
  async function pollOnce(isTimeToStore: boolean): Promise<void> {
    try {
      await pull()
      if (isTimeToStore) await storeUses()
    } catch (error) {
      log.error({ err: error }, 'polling feed links failed')
    }
  }

  const storeUses = () => access.use('uses of feed links', registry.storeUses, undefined)

  const change = () => ({ now: clock.now(), random: randomBytes })

  /** Loads a change at once on this replica. */
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
      let polls = 0
      let openCount = 0
      await every(clock, pullMs, signal, async () => {
        polls += 1
        await pollOnce(polls % pullsUntilStored === 0)
        // A link may have expired since the last poll.
        if (open().length < openCount) notifyListeners()
        openCount = open().length
      })
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
