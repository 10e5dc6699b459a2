import type { Change, CollectionCopy } from './collection-copy.ts'
import { mergedLedger, type Ledger } from './ledger.ts'
import { mergedHeld } from './loss-guard.ts'

/** A last good copy, and the state of its stored copy. The transitions below are pure. */
export type CopySlot = {
  readonly kept: CollectionCopy | undefined
  /** Items in the held reading. */
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

/** Applies the stored copy. An unreadable copy is passed as undefined, and will be overwritten. */
export function storedCopyLoaded(
  { kept: ours, heldItems, isUnsaved }: CopySlot,
  { revision, contentId }: Pick<CopySlot, 'revision' | 'contentId'>,
  stored: CollectionCopy | undefined,
): CopySlot {
  const inStore = { revision, contentId, storedLedger: stored?.collection.ledger }
  const kept = stored && ours && isUnsaved ? merged(stored, ours) : (stored ?? ours)
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

/** Merges two diverged copies by combining the newer copy with both ledgers. */
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
