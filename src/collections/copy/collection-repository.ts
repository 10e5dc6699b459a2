import { randomUUID } from 'node:crypto'
import type { Logger } from '../../log.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import { mergedHeld } from './loss-guard.ts'
import type { Change, CollectionCopy } from './collection-copy.ts'
import { mergedLedger, type Ledger } from './ledger.ts'
import type { StoreAccess } from '../../store/store-access.ts'
import {
  keptWithState,
  loadKept,
  saveKept,
  storedStates,
  type StoredState,
} from './stored-collections.ts'

const publishAttempts = 3

/**
 * The last good copies, in memory and in the store. What cannot be stored is served from memory, and
 * stored as soon as that is possible.
 */
export type CollectionRepository = {
  readonly kept: <R extends FeedResource>(resource: R) => CollectionCopy<R> | undefined
  /** Loads what other replicas, commands or an earlier process stored. */
  readonly pull: () => Promise<void>
  /** Applies a change to the current copy, and again if another replica wrote first. */
  readonly publish: <R extends FeedResource>(
    resource: R,
    change: (before: CollectionCopy<R> | undefined) => Promise<Change<R> | undefined>,
  ) => Promise<void>
}

/** A copy, and its state in the store. */
type Slot = {
  readonly kept: CollectionCopy | undefined
  /** Items that the guard holds back. */
  readonly heldItems: readonly unknown[] | undefined
  /** Revision of the stored state that the copy comes from; 0 for none. */
  readonly revision: number
  /** Id of the content and ledger stored with that revision. */
  readonly contentId: string
  readonly storedLedger: Ledger | undefined
  readonly isStored: boolean
}

const empty: Slot = {
  kept: undefined,
  heldItems: undefined,
  revision: 0,
  contentId: '',
  storedLedger: undefined,
  isStored: true,
}

export function createCollectionRepository(options: {
  readonly documents: Documents
  readonly access: StoreAccess
  /** Resources with at least one reader. */
  readonly resources: () => readonly FeedResource[]
  /** Called when a copy has changed. */
  readonly onChange: () => void
  readonly log: Logger
}): CollectionRepository {
  const { documents, access, resources, onChange, log } = options
  const slots = new Map<FeedResource, Slot>()

  const slotOf = (resource: FeedResource) => slots.get(resource) ?? empty

  function set(resource: FeedResource, slot: Slot): void {
    const before = slotOf(resource).kept
    slots.set(resource, slot)
    if (slot.kept) tell(resource, before, slot.kept)
    if (slot.kept?.collection.ledger !== before?.collection.ledger) onChange()
  }

  async function pull(): Promise<void> {
    const states = await access.use('loading', () => storedStates(documents), undefined)
    if (!states) return
    for (const resource of resources()) {
      const state = states.get(resource)
      if (state) await adopt(resource, state)
      else loseStored(resource)
      await storeAgain(resource)
    }
  }

  async function adopt(resource: FeedResource, state: StoredState): Promise<void> {
    const slot = slotOf(resource)
    if (slot.revision === state.revision) return
    const stored = await keptOf(resource, slot, state)
    if (stored === 'not loaded') return
    const kept = stored && slot.kept && !slot.isStored ? merged(stored, slot.kept) : stored
    set(resource, {
      kept: kept ?? slot.kept,
      heldItems: kept === stored ? undefined : slot.heldItems,
      revision: state.revision,
      contentId: state.contentId,
      storedLedger: stored?.collection.ledger,
      isStored: kept !== undefined && kept === stored,
    })
    access.forget(savingOf(resource))
  }

  /** Returns undefined for an unreadable copy, which is then overwritten. */
  async function keptOf(resource: FeedResource, slot: Slot, state: StoredState) {
    const isKnown = slot.isStored && slot.contentId === state.contentId
    if (slot.kept && isKnown) return keptWithState(slot.kept, state)
    return access.use('loading', () => loadKept(documents, resource, state), 'not loaded' as const)
  }

  function loseStored(resource: FeedResource): void {
    const slot = slotOf(resource)
    if (slot.revision === 0) return
    slots.set(resource, { ...slot, revision: 0, storedLedger: undefined, isStored: false })
  }

  async function storeAgain(resource: FeedResource): Promise<void> {
    const slot = slotOf(resource)
    if (slot.kept && !slot.isStored) await store(resource, slot, slot.kept, slot.heldItems)
  }

  /** Returns false if another replica wrote first; undefined if the store cannot be used. */
  async function store(
    resource: FeedResource,
    slot: Slot,
    kept: CollectionCopy,
    heldItems: readonly unknown[] | undefined,
  ): Promise<boolean | undefined> {
    const { revision, storedLedger } = slot
    const { ledger } = kept.collection
    const isContentNew = storedLedger !== ledger
    const contentId = isContentNew ? randomUUID() : slot.contentId
    const change = { revision, contentId, isContentNew, heldItems }
    const save = () => saveKept(documents, resource, kept, change)
    const isStored = await access.use(savingOf(resource), save, undefined)
    if (isStored) {
      const stored = { revision: revision + 1, contentId, storedLedger: ledger, isStored }
      set(resource, { kept, heldItems, ...stored })
    }
    return isStored
  }

  function tell(
    resource: FeedResource,
    before: CollectionCopy | undefined,
    next: CollectionCopy,
  ): void {
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

  return {
    kept: <R extends FeedResource>(resource: R) =>
      slotOf(resource).kept as CollectionCopy<R> | undefined,
    pull,
    async publish(resource, change) {
      for (let attempt = 1; attempt <= publishAttempts; attempt += 1) {
        const slot = slotOf(resource)
        const changed = await change(slot.kept as Parameters<typeof change>[0])
        if (!changed) return
        const { kept, heldItems } = changed
        const isStored = await store(resource, slot, kept, heldItems)
        if (isStored) return
        if (isStored === undefined)
          return set(resource, { ...slot, kept, heldItems, isStored: false })
        await pull()
      }
      log.warn({ resource, attempts: publishAttempts }, 'a reading was dropped: others wrote first')
    },
  }
}

/** Merges two diverged copies: the newer one, with both ledgers. */
function merged(theirs: CollectionCopy, ours: CollectionCopy): CollectionCopy {
  const [later, other] = ours.readAt > theirs.readAt ? [ours, theirs] : [theirs, ours]
  const ledger = mergedLedger(later.collection.ledger, other.collection.ledger)
  const changedAt = Math.max(theirs.collection.changedAt, ours.collection.changedAt)
  const held = mergedHeld(later.held, other.held)
  const isKnown =
    ledger === later.collection.ledger &&
    changedAt === later.collection.changedAt &&
    held?.needsAcceptance === later.held?.needsAcceptance &&
    held?.isHeldByRequest === later.held?.isHeldByRequest
  return isKnown
    ? later
    : { ...later, held, collection: { ...later.collection, ledger, changedAt } }
}

function savingOf(resource: FeedResource): string {
  return `saving ${resource}`
}
