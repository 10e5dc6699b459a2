import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import { saveState, storedStates } from './stored-collections.ts'

/** A running service may store a reading of its own meanwhile. */
const attempts = 5

/**
 * Keeps a held collection held however long its readings stay the same. Returns false if it is not
 * held. Rejects with a `StoreError`.
 */
export async function keepHolding(documents: Documents, resource: FeedResource): Promise<boolean> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) return false
    const held = { ...state.held, isHeldByRequest: true }
    if (await saveState(documents, resource, { ...state, held })) return true
  }
  return false
}
