import { randomUUID } from 'node:crypto'
import type { FeedResource } from '../../records/resources.ts'
import { retryWrite, type Documents } from '../../store/store.ts'
import { acceptHeldReading } from './collection-copy.ts'
import {
  loadHeldItems,
  loadKept,
  saveKept,
  saveState,
  storedStates,
  type StoredState,
} from './stored-collections.ts'

type Undecided = { readonly ok: false; readonly reason: 'not held' | 'contended' }

export type AcceptResult =
  | { readonly ok: true; readonly records: number }
  | { readonly ok: false; readonly reason: 'changed meanwhile' }
  | Undecided

export type KeepResult = { readonly ok: true } | Undecided

/**
 * Publishes the held reading of a stored collection. If a `version` is given, the reading must
 * still have that version. Rejects with a `StoreError`.
 */
export function acceptHeld(
  documents: Documents,
  resource: FeedResource,
  { now, version }: { readonly now: number; readonly version?: string },
): Promise<AcceptResult> {
  return decide<AcceptResult>(documents, resource, async (state, held) => {
    if (version !== undefined && version !== held.version) {
      return { ok: false, reason: 'changed meanwhile' }
    }
    const before = await loadKept(documents, resource, state)
    const heldItems = await loadHeldItems(documents, resource)
    if (!before || !heldItems) return undefined
    const kept = await acceptHeldReading(resource, before, heldItems, now)
    const content = { contentId: randomUUID(), isContentNew: true }
    const change = { revision: state.revision, ...content, heldItems: undefined }
    const isSaved = await saveKept(documents, resource, kept, change)
    return isSaved ? { ok: true, records: kept.collection.records.length } : undefined
  })
}

/** Keeps holding a collection, even if further readings agree. Rejects with a `StoreError`. */
export function keepHolding(documents: Documents, resource: FeedResource): Promise<KeepResult> {
  return decide<KeepResult>(documents, resource, async (state, before) => {
    const held = { ...before, isHeldByRequest: true }
    return (await saveState(documents, resource, { ...state, held })) ? { ok: true } : undefined
  })
}

async function decide<T>(
  documents: Documents,
  resource: FeedResource,
  attempt: (state: StoredState, held: NonNullable<StoredState['held']>) => Promise<T | undefined>,
): Promise<T | Undecided> {
  const result = await retryWrite<T | Undecided>(async () => {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) return { ok: false, reason: 'not held' }
    return attempt(state, state.held)
  })
  return result ?? { ok: false, reason: 'contended' }
}
