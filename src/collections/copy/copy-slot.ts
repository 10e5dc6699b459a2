import type { Change, CollectionCopy } from './collection-copy.ts'
import { mergedLedger, type Ledger } from './ledger.ts'
import { mergedHeld } from './loss-guard.ts'

/**
 * The last good copy of a collection, and the state of its stored copy. The transitions below are
 * pure.
 */
export type CopySlot = InStore &
  (
    | { readonly status: 'empty' }
    | (Copied & { readonly status: 'saved' })
    /** The stored copy differs from this one or does not exist. */
    | (Copied & { readonly status: 'unsaved' })
  )

type Copied = {
  readonly kept: CollectionCopy
  /** Items in the held reading, if any. */
  readonly heldItems: readonly unknown[] | undefined
}

type InStore = {
  /** Revision of the stored state that the copy is based on, or 0 if there is no stored state. */
  readonly revision: number
  /** Id of the content and ledger stored with that revision. */
  readonly contentId: string
  readonly storedLedger: Ledger | undefined
}

export const emptySlot: CopySlot = {
  status: 'empty',
  revision: 0,
  contentId: '',
  storedLedger: undefined,
}

export function keptIn(slot: CopySlot): CollectionCopy | undefined {
  return slot.status === 'empty' ? undefined : slot.kept
}

/** Applies the stored copy. An unreadable copy is passed as undefined, and will be overwritten. */
export function storedCopyLoaded(
  slot: CopySlot,
  { revision, contentId }: Pick<InStore, 'revision' | 'contentId'>,
  stored: CollectionCopy | undefined,
): CopySlot {
  const inStore = { revision, contentId, storedLedger: stored?.collection.ledger }
  if (!stored) {
    const kept = keptIn(slot)
    return kept
      ? { ...inStore, status: 'unsaved', kept, heldItems: undefined }
      : { ...inStore, status: 'empty' }
  }
  const kept = slot.status === 'unsaved' ? merged(stored, slot.kept) : stored
  return slot.status === 'unsaved' && kept !== stored
    ? { ...inStore, status: 'unsaved', kept, heldItems: slot.heldItems }
    : { ...inStore, status: 'saved', kept, heldItems: undefined }
}

/** Returns the slot after the copy disappeared from the store. */
export function storedCopyLost(slot: CopySlot): CopySlot {
  const lost = { revision: 0, contentId: slot.contentId, storedLedger: undefined }
  if (slot.status === 'empty') return { ...lost, status: 'empty' }
  return { ...lost, status: 'unsaved', kept: slot.kept, heldItems: slot.heldItems }
}

export function copySaved(
  { revision }: CopySlot,
  { kept, heldItems }: Change,
  contentId: string,
): CopySlot {
  const storedLedger = kept.collection.ledger
  return { status: 'saved', kept, heldItems, revision: revision + 1, contentId, storedLedger }
}

/** Returns the slot after a change that could not be stored. */
export function copyNotSaved(slot: CopySlot, { kept, heldItems }: Change): CopySlot {
  return { ...slot, status: 'unsaved', kept, heldItems }
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
