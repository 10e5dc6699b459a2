import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backupItems, writeBackupFile } from '../../src/backup/backup-file.ts'
import { backupPlace, head } from './backup-files.ts'
import { contentOf } from '../support/stored-items.ts'
import { onEveryStore, storesAt } from '../support/stores.ts'

onEveryStore((placeOf) => {
  test('restores every document to another store with its revision', async () => {
    const { file } = backupPlace()
    const { store, clock } = await storesAt(placeOf(), 1)
    const { store: target } = await storesAt(placeOf(), 1)
    const text = fc.string({ unit: 'binary', maxLength: 50 })
    const expiresAt = fc.option(fc.integer({ min: clock.now() + 1, max: 4e12 }), { nil: undefined })
    const document = fc.record({ bucket: text, id: text, value: text, expiresAt })
    const event = fc.record({ window: text, id: fc.uuid(), ago: fc.nat(86_399_999) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { maxLength: 15 }),
        fc.array(event, { maxLength: 15 }),
        async (documents, events) => {
          for (const { expiresAt: until, ...one } of documents) {
            await store.documents.write([until === undefined ? one : { ...one, expiresAt: until }])
          }
          for (const { window, id, ago } of events) {
            await store.windows.add(window, new Map([[id, clock.now() - ago]]))
          }
          await writeBackupFile(file, { head, items: store.snapshot() })
          await target.replace(backupItems(file, 'x'), { emptyBucket: 'nothing at all' })
          expect(await contentOf(target)).toEqual(await contentOf(store))
        },
      ),
      { numRuns: 20 },
    )
  })

  test('restores many megabytes of data unchanged', async () => {
    const { file } = backupPlace()
    const { store } = await storesAt(placeOf(), 1)
    const { store: target } = await storesAt(placeOf(), 1)
    const value = randomBytes(1_000_000).toString('base64')
    for (const id of Array.from({ length: 10 }, (_, index) => String(index))) {
      await store.documents.write([{ bucket: 'items', id, value: `${id} ${value}` }])
    }
    await writeBackupFile(file, { head, items: store.snapshot() })
    await target.replace(backupItems(file, 'x'), { emptyBucket: undefined })
    expect((await contentOf(target)).length).toBe(10)
    expect((await target.documents.get('items', '9'))?.value === `9 ${value}`).toBe(true)
  })
})
