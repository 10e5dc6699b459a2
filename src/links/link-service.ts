import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import { createStoreAccess } from '../store/store-access.ts'
import { isOpen, type FeedLink } from './feed-link.ts'
import { createLinkRegistry, type LinkRegistry } from './link-registry.ts'
import {
  addLink,
  revokeLink,
  storedLinks,
  type AddedLink,
  type ListedLink,
} from './stored-links.ts'
import type { Logger } from '../log.ts'
import type { Documents } from '../store/store.ts'

/** What is changed on one replica is so on all of them, within this time and that of reading it. */
const pullMs = 2_000

/** How often it is stored who used what: every so many pulls. */
const pullsUntilStored = 5

/** The feed links of the store, as requests and whoever manages them need them. */
export type LinkService = {
  readonly find: LinkRegistry['find']
  readonly isLoaded: LinkRegistry['isLoaded']
  /** Those that give feeds now. */
  readonly open: () => readonly FeedLink[]
  /** Calls the listener whenever there are others, or one has ended. */
  readonly onChange: (listener: () => void) => void
  /** Why they cannot be read or stored now, in a sentence. */
  readonly storeFailure: () => string | undefined
  /** Takes over what is stored. */
  readonly pull: () => Promise<void>
  /** Takes over what others change, until the signal. */
  readonly poll: (signal: AbortSignal) => Promise<void>
  /** These reject with a `StoreError` when the store cannot be used. */
  readonly list: () => Promise<readonly ListedLink[]>
  readonly add: (wish: Parameters<typeof addLink>[1]) => Promise<AddedLink>
  /** Undefined where there is no such link. */
  readonly revoke: (id: string) => Promise<FeedLink | undefined>
}

export function createLinkService(
  documents: Documents,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): LinkService {
  const access = createStoreAccess(log)
  const listeners: (() => void)[] = []
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const registry = createLinkRegistry(documents, { now: clock.now, onChange: tell })
  const open = () => registry.all().filter((link) => isOpen(link, clock.now()))
  const pull = () => access.use('feed links', registry.pull, undefined)
  async function pollOnce(isTimeToStore: boolean): Promise<void> {
    try {
      await pull()
      if (isTimeToStore) await storeUses()
    } catch (error) {
      log.error({ err: error }, 'keeping up with feed links failed')
    }
  }

  const storeUses = () => access.use('uses of feed links', registry.storeUses, undefined)

  return {
    find: registry.find,
    isLoaded: registry.isLoaded,
    open,
    storeFailure: () => access.failure()?.message,
    onChange: (listener) => void listeners.push(listener),
    pull,
    async poll(signal) {
      for (let count = 1; !signal.aborted; count += 1) {
        const openBefore = open().length
        await clock.sleep(pullMs, signal).catch(() => undefined)
        await pollOnce(count % pullsUntilStored === 0)
        // One may have expired.
        if (open().length < openBefore) tell()
      }
      await storeUses()
    },
    async list() {
      await registry.storeUses()
      return storedLinks(documents)
    },
    async add(wish) {
      const added = await addLink(documents, wish, { now: clock.now(), random: randomBytes })
      await pull()
      return added
    },
    async revoke(id) {
      const revoked = await revokeLink(documents, id, { now: clock.now(), random: randomBytes })
      await pull()
      return revoked
    },
  }
}
