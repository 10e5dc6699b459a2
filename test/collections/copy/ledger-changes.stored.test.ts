import { beforeEach, describe, expect, test } from 'vitest'
import type { CollectionCopy } from '../../../src/collections/copy/collection-copy.ts'
import {
  loadKept,
  saveKept,
  storedStates,
} from '../../../src/collections/copy/stored-collections.ts'
import type { Documents } from '../../../src/store/store.ts'
import {
  after,
  calendarItems,
  drill,
  halfHourly,
  others,
  start,
  wednesday,
} from '../../support/ledger-changes.ts'
import { openTestStore } from '../../support/store.ts'

describe('a stored ledger', () => {
  let documents: Documents
  let kept: CollectionCopy<'calendar'>

  beforeEach(async () => {
    documents = openTestStore(() => start).documents
    const readings = halfHourly([drill, ...others], [wednesday, ...others], others)
    kept = await after('calendar', calendarItems(readings))
    const stored = { revision: 0, contentId: 'a', isContentNew: true, heldItems: undefined }
    await saveKept(documents, 'calendar', kept, stored)
  })

  async function load() {
    const state = (await storedStates(documents)).get('calendar')
    return state && (await loadKept(documents, 'calendar', state))
  }

  const editLedger = async (edit: (text: string) => string) => {
    const text = (await documents.get('ledgers', 'calendar'))?.value ?? ''
    await documents.write([{ bucket: 'ledgers', id: 'calendar', value: edit(text) }])
  }

  test('has the same changes when it is loaded', async () => {
    expect(await load()).toEqual(kept)
    expect((await load())?.collection.ledger.get(1)?.changes).toHaveLength(2)
  })

  test('of an older version has no changes', async () => {
    await editLedger((text) => text.replace(/,"changes":\[[^\]]*\]/g, ''))
    const { changes: _changes, ...older } = kept.collection.ledger.get(1) ?? {}
    expect((await load())?.collection.ledger.get(1)).toEqual(older)
  })

  test('keeps its other entries if a change is unreadable', async () => {
    await editLedger((text) => text.replace('"before":{"title":"Drill"', '"before":{"title":7'))
    const ledger = (await load())?.collection.ledger
    expect(ledger?.get(1)).not.toHaveProperty('changes', expect.anything())
    expect(ledger?.get(1)).toMatchObject({ revision: 2 })
    expect(ledger?.size).toBe(4)
  })
})
