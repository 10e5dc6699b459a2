import { itemsToBackUp, readCurrentStore, mergeBackup } from '../../src/backup/merge-backup.ts'
import type { Clock } from '../../src/clock.ts'
import type { Store } from '../../src/store/store.ts'
import { createFakeClock } from './fake-clock.ts'
import { openTestStore } from './store.ts'
import { asStream, collected } from './stored-items.ts'

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs

/** Creates a store, and returns it with functions that back it up and restore it. */
export function storeOf() {
  const clock = createFakeClock()
  const store = openTestStore(clock.now)
  return { clock, store, backUp: () => backUp(store, clock) }
}

/** Backs up a store, and resolves to a function that restores the backup. */
export async function backUp(store: Store, { now }: Pick<Clock, 'now'>) {
  const items = await collected(itemsToBackUp(store.snapshot()))
  const takenAt = now()
  return async (target: Store = store, lost: readonly string[] = []) => {
    const before = await readCurrentStore(target.snapshot())
    const options = { takenAt, now: now(), publicFeeds: ['events', 'news'], lost }
    const restored = mergeBackup(asStream(items), before, options)
    return target.replace(restored, {
      emptyBucket: 'none',
      expected: before.links,
    })
  }
}
