import type { Ledger } from '../../records/recorded-change.ts'
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from '../../log.ts'
import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import type { Change, CollectionCopy } from './collection-copy.ts'
import { mergedLedger, nextChangeAt } from './ledger.ts'
import { mergedHeld } from './loss-guard.ts'
import type { StoreAccess } from '../../store/store-error.ts'
import { rulesFor } from './resource-rules.ts'
import {
  keptWithState,
  loadKept,
  saveKept,
  collectionBuckets,
  createStateReader,
  type StateDocument,
  type StoredState,
} from './stored-collections.ts'

const publishAttempts = 3
const unneededAfterMs = 24 * 60 * 60 * 1000

/**
 * The last good copies, in memory and in the store. While the store is down, changes are kept in
 * memory and stored later.
 */
export function createCollectionRepository(options: {
  readonly documents: Documents
  readonly access: StoreAccess
  readonly resources: () => readonly FeedResource[]
  readonly onChange: () => void
  readonly log: Logger
}) {
  const { documents, access, resources, onChange, log } = options
  const slots = new Map<FeedResource, CopySlot>()
  const readStates = createStateReader(documents)

  const slotOf = (resource: FeedResource) => slots.get(resource) ?? emptySlot

  function set(resource: FeedResource, slot: CopySlot): void {
    const before = slotOf(resource).kept
    const { kept } = slot
    slots.set(resource, slot)
    if (kept) tell(resource, before, kept)
    if (kept?.collection.ledger !== before?.collection.ledger) onChange()
  }

  /** Loads changes stored by other replicas, commands or an earlier process. */
  async function pull(): Promise<void> {
    const states = await access.use('loading', readStates, undefined)
    if (!states) return
    for (const resource of resources()) {
      const document = states.get(resource)
      if (document) await adopt(resource, document)
      else loseStored(resource)
      await storeAgain(resource)
    }
  }

  async function adopt(resource: FeedResource, document: StateDocument): Promise<void> {
    const slot = slotOf(resource)
    if (slot.revision === document.revision) return
    const state = document.parsed()
    const stored = await keptOf(resource, slot, state)
    if (stored === 'not loaded') return
    set(resource, storedCopyLoaded(slot, state, stored))
    access.forget(savingOf(resource))
  }

  /** Loads a stored copy. Returns undefined for an unreadable copy, which will be overwritten. */
  async function keptOf(resource: FeedResource, slot: CopySlot, state: StoredState) {
    const isKnown = !slot.isUnsaved && slot.contentId === state.contentId
    if (isKnown && slot.kept) return keptWithState(slot.kept, state)
    return access.use('loading', () => loadKept(documents, resource, state), 'not loaded' as const)
  }

  function loseStored(resource: FeedResource): void {
    const slot = slotOf(resource)
    if (slot.revision === 0) return
    slots.set(resource, storedCopyLost(slot))
  }

  async function storeAgain(resource: FeedResource): Promise<void> {
    const slot = slotOf(resource)
    const { kept, heldItems, isUnsaved } = slot
    if (isUnsaved && kept) await store(resource, slot, { kept, heldItems })
  }

  /** Returns false if another replica wrote first, undefined if the store cannot be used. */
  async function store(
    resource: FeedResource,
    slot: CopySlot,
    change: Change,
  ): Promise<boolean | undefined> {
    const { revision, storedLedger } = slot
    const { kept, heldItems } = change
    const isContentNew = storedLedger !== kept.collection.ledger
    const contentId = isContentNew ? randomUUID() : slot.contentId
    const saved = { revision, contentId, isContentNew, heldItems }
    const save = () => saveKept(documents, resource, kept, saved)
    const isStored = await access.use(savingOf(resource), save, undefined)
    if (isStored) set(resource, copySaved(slot, change, contentId))
    return isStored
  }

  function isUnneeded(resource: FeedResource, readAt: number, now: number): boolean {
    const isPrivate = rulesFor(resource).isPrivate === true
    return isPrivate && !resources().includes(resource) && now >= readAt + unneededAfterMs
  }

  function tell(
    resource: FeedResource,
    before: CollectionCopy | undefined,
    next: CollectionCopy,
  ): void {
    const { records, rejected, rejectedCount, omittedCount, version } = next.collection
    const { version: versionBefore, rejected: rejectedBefore } = before?.collection ?? {}
    if (next.held && !before?.held) {
      const { records: found } = next.held
      log.warn({ resource, published: records.length, found }, 'collection held')
    }
    if (rejectedCount > 0 && !isDeepStrictEqual(rejected, rejectedBefore)) {
      log.warn({ resource, rejectedCount, rejected }, 'records with values that cannot be used')
    }
    if (versionBefore === version) return
    log.info({ resource, records: records.length }, 'collection changed')
    if (omittedCount > 0) log.warn({ resource, omittedCount }, 'records beyond the limit omitted')
  }

  return {
    kept: <R extends FeedResource>(resource: R) =>
      slotOf(resource).kept as CollectionCopy<R> | undefined,
    pull,
    /** Deletes private copies that no link needs anymore, a day after they were last read. */
    async deleteUnneeded(now: number): Promise<void> {
      for (const [resource, slot] of slots) {
        const { readAt = 0 } = slot.kept ?? {}
        if (isUnneeded(resource, readAt, now)) slots.delete(resource)
      }
      const states = await access.use('loading', readStates, undefined)
      for (const [resource, { parsed, revision }] of states ?? []) {
        if (!isUnneeded(resource, parsed().readAt, now)) continue
        const writes = Object.values(collectionBuckets).map((bucket) => ({
          bucket,
          id: resource,
          value: undefined,
        }))
        const known = { bucket: collectionBuckets.states, id: resource, revision }
        await access.use('loading', () => documents.write(writes, known), undefined)
      }
    },
    /** Applies a change to the current copy. Reapplies it if another replica wrote first. */
    async publish<R extends FeedResource>(
      resource: R,
      change: (before: CollectionCopy<R> | undefined) => Promise<Change<R> | undefined>,
    ): Promise<void> {
      for (let attempt = 1; attempt <= publishAttempts; attempt += 1) {
        const slot = slotOf(resource)
        const changed = await change(slot.kept as CollectionCopy<R> | undefined)
        if (!changed) return
        const isStored = await store(resource, slot, changed)
        if (isStored) return
        if (isStored === undefined) return set(resource, copyNotSaved(slot, changed))
        await pull()
      }
      log.warn(
        { resource, attempts: publishAttempts },
        'dropped a reading because other replicas wrote first',
      )
    },
  }
}

function savingOf(resource: FeedResource): string {
  return `saving ${resource}`
}

/** A last good copy, and the state of its stored copy. The transitions below are pure. */
export type CopySlot = {
  readonly kept: CollectionCopy | undefined
  readonly heldItems: readonly unknown[] | undefined
  /** True if the stored copy differs from this one or does not exist. */
  readonly isUnsaved: boolean
  /** Revision of the stored state that the copy is based on, or 0 if there is no stored state. */
  readonly revision: number
  /** Id of the content and ledger stored with that revision. */
  readonly contentId: string
  readonly storedLedger: Ledger | undefined
}

export const emptySlot: CopySlot = {
  kept: undefined,
  heldItems: undefined,
  isUnsaved: false,
  revision: 0,
  contentId: '',
  storedLedger: undefined,
}

/**
 * Applies the stored copy. An unreadable copy is passed as undefined, and will be overwritten. If the
 * store has lost later copies, this one is merged like one that was never saved.
 */
export function storedCopyLoaded(
  { kept: ours, heldItems, isUnsaved, revision: known }: CopySlot,
  { revision, contentId }: { readonly revision: number; readonly contentId: string },
  stored: CollectionCopy | undefined,
): CopySlot {
  const inStore = { revision, contentId, storedLedger: stored?.collection.ledger }
  const isAhead = isUnsaved || revision < known
  const kept = stored && ours && isAhead ? merged(stored, ours) : (stored ?? ours)
  return kept === stored
    ? { ...inStore, kept, heldItems: undefined, isUnsaved: false }
    : { ...inStore, kept, heldItems: stored && heldItems, isUnsaved: true }
}

export function storedCopyLost(slot: CopySlot): CopySlot {
  return { ...slot, isUnsaved: slot.kept !== undefined, revision: 0, storedLedger: undefined }
}

export function copySaved({ revision }: CopySlot, change: Change, contentId: string): CopySlot {
  const storedLedger = change.kept.collection.ledger
  return { ...change, isUnsaved: false, revision: revision + 1, contentId, storedLedger }
}

export function copyNotSaved(slot: CopySlot, change: Change): CopySlot {
  return { ...slot, ...change, isUnsaved: true }
}

/** Returns when a copy last changed, or a later time if its content differs from the merged one. */
function changeTimeAfter(
  { collection }: CollectionCopy,
  { collection: { version } }: CollectionCopy,
  ledger: Ledger,
): number {
  const isSame =
    collection.version === version && mergedLedger(collection.ledger, ledger) === collection.ledger
  return isSame ? collection.changedAt : nextChangeAt(collection, collection.changedAt)
}

/** Merges two diverged copies by combining the newer copy with both ledgers. */
function merged(theirs: CollectionCopy, ours: CollectionCopy): CollectionCopy {
  const [later, other] = ours.readAt > theirs.readAt ? [ours, theirs] : [theirs, ours]
  const ledger = mergedLedger(later.collection.ledger, other.collection.ledger)
  // Clients may have the bytes of either copy.
  const changedAt = Math.max(...[later, other].map((copy) => changeTimeAfter(copy, later, ledger)))
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
