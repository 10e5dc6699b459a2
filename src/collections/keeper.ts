import NodeCache from 'node-cache'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { FeedResource } from '../records/resources.ts'
import { siteDateAt } from '../records/site-time.ts'
import type { StoreError } from '../store/store-error.ts'
import type { Store } from '../store/store.ts'
import type { DataService } from '../upstream/data-service.ts'
import type { Priority } from '../upstream/throttle.ts'
import { keptAfter, type DetailRead, type Kept } from './kept-collection.ts'
import type { DayWindow } from './queries.ts'
import { readDetail, readItems, type SheetToRead } from './readings.ts'
import { createStoreAccess } from './store-access.ts'
import {
  keptWithState,
  loadKept,
  saveKept,
  storedStates,
  type StoredState,
} from './stored-collections.ts'

/** Renewed while a reading takes longer; a replica that was killed has it no longer than this. */
const leaseMs = 20_000

const saveAttempts = 2

/**
 * The last good copies, in memory and in the store. What cannot be stored is kept in memory and
 * stored with the next reading.
 */
export type Keeper = {
  readonly kept: <R extends FeedResource>(resource: R) => Kept<R> | undefined
  /** Takes over what other replicas, commands or the process before have stored. */
  readonly pull: () => Promise<void>
  /**
   * Reads a collection that is still due, and resolves to whether it was read now, by whomever; it is
   * not when another replica is at it. Rejects with an `UpstreamError`; then all stays as it was.
   */
  readonly refresh: (
    resource: FeedResource,
    options: { readonly priority: () => Priority; readonly isDue: () => boolean },
  ) => Promise<boolean>
  /** The same for the details of a sign up sheet. */
  readonly refreshDetail: (sheet: SheetToRead) => Promise<boolean>
  /** Why the store cannot be used now. */
  readonly storeFailure: () => StoreError | undefined
  /** Whether only one replica does something for so long. */
  readonly isAlone: (name: string, ttlMs: number) => Promise<boolean>
}

export type KeeperOptions = {
  readonly dataService: DataService
  readonly store: Pick<Store, 'documents' | 'leases'>
  readonly clock: Clock
  readonly log: Logger
  readonly resources: readonly FeedResource[]
  readonly siteTimeZone: string
  readonly window: DayWindow
  /** This replica among all. */
  readonly holder: string
}

export function createKeeper(options: KeeperOptions): Keeper {
  const { dataService, store, clock, log, resources, siteTimeZone, window, holder } = options
  const { documents, leases } = store
  // One key a resource; maxKeys would refuse to replace the last of them.
  const copies = new NodeCache({ useClones: false, checkperiod: 0 })
  const stored = new Map<FeedResource, Pick<StoredState, 'revision' | 'version'>>()
  const access = createStoreAccess(log)

  const kept = <R extends FeedResource>(resource: R) => copies.get<Kept<R>>(resource)
  const today = () => siteDateAt(clock.now(), siteTimeZone)

  /** Without the store nobody can be asked, so everybody has it. */
  function takeLease(name: string, ttlMs: number): Promise<boolean> {
    return access.use(leasing, () => leases.take(name, holder, ttlMs), true)
  }

  /** When it was read; what a clock that was ahead has noted counts as long ago. */
  function readAtOf(read: { readonly readAt: number } | undefined): number {
    return read && read.readAt <= clock.now() ? read.readAt : 0
  }

  async function pull(): Promise<void> {
    const states = await access.use('loading', () => storedStates(documents), undefined)
    if (!states) return
    // Otherwise nothing may be due for long that would show that it works again.
    if (access.isFailing(leasing)) await takeLease('store', 1)
    for (const resource of resources) {
      const state = states.get(resource)
      if (!state) stored.delete(resource)
      else if (stored.get(resource)?.revision !== state.revision) await adopt(resource, state)
      const mine = kept(resource)
      // The store could not be used when it was read, or has lost it.
      if (mine && readAtOf(mine) > readAtOf(state)) await save(resource, mine)
    }
  }

  async function adopt(resource: FeedResource, state: StoredState): Promise<void> {
    const mine = kept(resource)
    stored.set(resource, state)
    if (readAtOf(mine) > readAtOf(state)) return
    const next =
      mine?.collection.version === state.version
        ? keptWithState(mine, state)
        : await access.use('loading', () => loadKept(documents, resource, state), undefined)
    if (next) copies.set(resource, next)
    access.forget(savingOf(resource))
  }

  /** Resolves to whether it is stored; undefined when the store cannot be used. */
  async function save(
    resource: FeedResource,
    next: Kept,
    heldItems?: readonly unknown[],
  ): Promise<boolean | undefined> {
    const { revision = 0, version } = stored.get(resource) ?? {}
    const isContentNew = version !== next.collection.version
    const change = { revision, isContentNew, heldItems }
    const write = () => saveKept(documents, resource, next, change)
    const isSaved = await access.use(savingOf(resource), write, undefined)
    if (isSaved) stored.set(resource, { revision: revision + 1, version: next.collection.version })
    return isSaved
  }

  async function publish(
    resource: FeedResource,
    next: Kept,
    heldItems?: readonly unknown[],
  ): Promise<void> {
    for (let attempt = 1; attempt <= saveAttempts; attempt += 1) {
      if ((await save(resource, next, heldItems)) !== false) break
      await pull()
      if (readAtOf(kept(resource)) >= next.readAt) return
    }
    const before = kept(resource)
    copies.set(resource, next)
    tell(resource, before, next)
  }

  function tell(resource: FeedResource, before: Kept | undefined, next: Kept): void {
    const { records, rejected, rejectedCount, omittedCount, version } = next.collection
    if (next.held && !before?.held) {
      const { records: found } = next.held
      log.warn({ resource, published: records.length, found }, 'collection held')
    }
    if (before?.collection.version === version) return
    log.info({ resource, records: records.length }, 'collection changed')
    if (rejectedCount > 0) log.warn({ resource, rejectedCount, rejected }, 'records left out')
    if (omittedCount > 0) log.warn({ resource, omittedCount }, 'older records left out')
  }

  /** Does it unless another replica is doing it; resolves to whether it did. */
  async function alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (!(await takeLease(name, leaseMs))) return false
    const over = new AbortController()
    const renewing = keepLease(name, over.signal)
    try {
      await work()
      return true
    } finally {
      over.abort()
      await renewing
      await access.use(leasing, () => leases.release(name, holder), undefined)
    }
  }

  async function keepLease(name: string, until: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(leaseMs / 2, until).catch(() => undefined)
      if (until.aborted) return
      await takeLease(name, leaseMs)
    }
  }

  return {
    kept,
    pull,
    refresh: (resource, { priority, isDue }) =>
      alone(resource, async () => {
        await pull()
        if (!isDue()) return
        const before = kept(resource)
        const reading = { before, today: today(), window, priority }
        const read = await readItems(dataService, resource, reading)
        const { kept: next, heldItems } = await keptAfter(resource, before, read, clock.now())
        await publish(resource, next, heldItems)
      }),
    refreshDetail: ({ id, modified }) =>
      alone('signup', async () => {
        await pull()
        const before = kept('signup')
        if (!before) return
        const reading = await readDetail(dataService, before, id)
        const { kept: read } = await keptAfter('signup', before, reading, clock.now())
        // The listing is no newer by this.
        const collection = { ...read.collection, fetchedAt: before.collection.fetchedAt }
        const details = detailsAfter(read, id, { readAt: clock.now(), modified })
        await publish('signup', { ...read, collection, readAt: before.readAt, details })
      }),
    storeFailure: access.failure,
    isAlone: takeLease,
  }
}

const leasing = 'leases'

function savingOf(resource: FeedResource): string {
  return `saving ${resource}`
}

/** Without those of sheets that are gone. */
function detailsAfter({ collection, details }: Kept<'signup'>, id: number, read: DetailRead) {
  const present = new Set(collection.records.map((sheet) => String(sheet.id)))
  const entries = Object.entries<DetailRead>({ ...details, [id]: read })
  return Object.fromEntries(entries.filter(([sheetId]) => present.has(sheetId)))
}
