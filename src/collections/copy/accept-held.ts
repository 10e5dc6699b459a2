import { randomUUID } from 'node:crypto'
import type { FeedResource } from '../../records/resources.ts'
import type { Documents } from '../../store/store.ts'
import { acceptHeldReading } from './collection-copy.ts'
import { loadHeldItems, loadKept, saveKept, storedStates } from './stored-collections.ts'

/** A running service may store a reading of its own meanwhile. */
const attempts = 5

/** Publishes what the guard of a stored collection holds. Rejects with a `StoreError`. */
export async function acceptHeld(
  documents: Documents,
  resource: FeedResource,
  now: number,
): Promise<{ readonly isAccepted: boolean; readonly records: number }> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const state = (await storedStates(documents)).get(resource)
    if (!state?.held) break
    const before = await loadKept(documents, resource, state)
    const heldItems = await loadHeldItems(documents, resource)
    if (!before || !heldItems) continue
    const kept = await acceptHeldReading(resource, before, heldItems, now)
    const content = { contentId: randomUUID(), isContentNew: true }
    const change = { revision: state.revision, ...content, heldItems: undefined }
    if (await saveKept(documents, resource, kept, change)) {
      return { isAccepted: true, records: kept.collection.records.length }
    }
  }
  return { isAccepted: false, records: 0 }
}
