import { randomUUID } from 'node:crypto'
import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import { acceptHeldReading } from './collection-copy.ts'
import { loadHeldItems, loadKept, saveKept } from './stored-collections.ts'
import { storedStates } from './stored-states.ts'

/** Maximum number of attempts. An attempt fails if a running service writes at the same time. */
const attempts = 5

export type AcceptResult =
  | { readonly ok: true; readonly records: number }
  | { readonly ok: false; readonly reason: 'not held' | 'changed meanwhile' | 'contended' }

/**
 * Publishes the held reading of a stored collection. If a `version` is given, the reading must
 * still have that version. Rejects with a `StoreError`.
 */
export async function acceptHeld(
  documents: Documents,
  resource: FeedResource,
  { now, version }: { readonly now: number; readonly version?: string },
): Promise<AcceptResult> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) return { ok: false, reason: 'not held' }
    if (version !== undefined && version !== state.held.version) {
      return { ok: false, reason: 'changed meanwhile' }
    }
    const before = await loadKept(documents, resource, state)
    const heldItems = await loadHeldItems(documents, resource)
    if (!before || !heldItems) continue
    const kept = await acceptHeldReading(resource, before, heldItems, now)
    const content = { contentId: randomUUID(), isContentNew: true }
    const change = { revision: state.revision, ...content, heldItems: undefined }
    if (await saveKept(documents, resource, kept, change)) {
      return { ok: true, records: kept.collection.records.length }
    }
  }
  return { ok: false, reason: 'contended' }
}
