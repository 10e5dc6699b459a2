import { expect, test } from 'vitest'
import { applyReading } from '../../../src/collections/copy/collection-copy.ts'
import {
  copyNotSaved,
  copySaved,
  emptySlot,
  storedCopyLoaded,
  storedCopyLost,
  type CopySlot,
} from '../../../src/collections/copy/collection-repository.ts'

async function readAt(now: number) {
  const items = [{ id: 1, title: `Drill ${now}`, status: 2, startDate: '2026-03-05', allDay: 1 }]
  const reading = { items, calls: 1, days: undefined }
  return (await applyReading('events', undefined, reading, now)).kept
}
const [older, newer] = [await readAt(1000), await readAt(2000)]
const heldItems = [{ id: 1 }]
const changeTo = (kept: typeof older) => ({ kept, heldItems })
const storedLedger = older.collection.ledger
const first = { revision: 1, contentId: 'a', storedLedger }
const third = { revision: 3, contentId: 'c' }

const saved = copySaved(emptySlot, changeTo(older), 'a')
const unsaved = copyNotSaved(saved, changeTo(newer))
const unsavedOlder = copyNotSaved(saved, changeTo(older))

test.for<{ name: string; slot: CopySlot; expected: object }>([
  {
    name: 'a saved copy has the next revision',
    slot: saved,
    expected: { isUnsaved: false, kept: older, heldItems, ...first },
  },
  {
    name: 'an unsaved copy keeps the state of the stored copy',
    slot: unsaved,
    expected: { isUnsaved: true, kept: newer, heldItems, ...first },
  },
  {
    name: 'a stored copy fills an empty slot',
    slot: storedCopyLoaded(emptySlot, third, older),
    expected: { isUnsaved: false, kept: older, heldItems: undefined, ...third },
  },
  {
    name: 'a stored copy replaces a saved one',
    slot: storedCopyLoaded(saved, third, newer),
    expected: { isUnsaved: false, kept: newer, ...third },
  },
  {
    name: 'a newer unsaved copy stays, merged with the stored one',
    slot: storedCopyLoaded(unsaved, third, older),
    expected: { isUnsaved: true, kept: { readAt: 2000 }, heldItems, ...third, storedLedger },
  },
  {
    name: 'a stored copy that includes all changes replaces an unsaved one',
    slot: storedCopyLoaded(unsavedOlder, third, older),
    expected: { isUnsaved: false, kept: older, heldItems: undefined, ...third },
  },
  {
    name: 'an unreadable stored copy is overwritten',
    slot: storedCopyLoaded(saved, third, undefined),
    expected: { isUnsaved: true, kept: older, ...third, storedLedger: undefined },
  },
  {
    name: 'an unreadable stored copy leaves an empty slot empty',
    slot: storedCopyLoaded(emptySlot, third, undefined),
    expected: { kept: undefined, isUnsaved: false, ...third },
  },
  {
    name: 'a copy that disappeared from the store is saved as new',
    slot: storedCopyLost(saved),
    expected: { isUnsaved: true, kept: older, revision: 0, storedLedger: undefined },
  },
  {
    name: 'an empty slot stays empty if the stored copy disappears',
    slot: storedCopyLost(storedCopyLoaded(emptySlot, third, undefined)),
    expected: { kept: undefined, isUnsaved: false, revision: 0 },
  },
])('$name', ({ slot, expected }) => {
  expect(slot).toMatchObject(expected)
})
