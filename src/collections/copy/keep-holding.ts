import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import { saveState, storedStates } from './stored-states.ts'

/** Maximum number of attempts. An attempt fails if a running service writes at the same time. */
const attempts = 5

export type KeepResult =
  { readonly ok: true } | { readonly ok: false; readonly reason: 'not held' | 'contended' }

/**
 * Keeps holding a collection back, even if further readings agree on the loss. Rejects with a
 * `StoreError`.
 */
export async function keepHolding(
  documents: Documents,
  resource: FeedResource,
): Promise<KeepResult> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) return { ok: false, reason: 'not held' }
    const held = { ...state.held, isHeldByRequest: true }
    if (await saveState(documents, resource, { ...state, held })) return { ok: true }
  }
  return { ok: false, reason: 'contended' }
}
