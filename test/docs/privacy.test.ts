import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createAdmin, testPassword } from '../support/admin.ts'
import { codeOf, documentOf } from '../support/documentation.ts'
import { collectionAfter } from '../support/feed-text.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/* Checks that docs/privacy.md is right about what is stored and how to delete it. */

const now = Date.parse('2026-03-05T15:00:00Z')
const name = 'zqnamezq'

test('lists all data that is stored', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  await using service = await startTestService({
    environment: { ADMIN_PASSWORD: testPassword },
    storeFileIn: () => file,
  })
  await service.readAll()
  const link = await service.addLink({ profile: 'full' })
  const admin = createAdmin(service.url)
  const { cookie } = await admin.signIn()
  expect((await fetch(`${link}rental.ics`)).status).toBe(200)
  // The list of links also shows what kinds of apps have used them.
  expect((await admin.visit('/admin', { cookie })).status).toBe(200)
  using store = new DatabaseSync(file, { readOnly: true })
  const buckets = await waitFor(() => {
    const rows = store.prepare('SELECT DISTINCT bucket FROM documents').all()
    const found = rows.map(({ bucket }) => String(bucket))
    expect(found).toEqual(expect.arrayContaining(['items', 'links', 'link-uses', 'admin-sessions']))
    return found
  })
  const told = codeOf(documentOf('docs/privacy.md'))
  expect(buckets.filter((bucket) => !told.includes(bucket))).toEqual([])
})

const booking = { id: 1, typeId: 1, type: 'Hall', startDate: '2026-03-20', allDay: 1 }
const other = { ...booking, id: 2 }

test('deletes a name everywhere if it is removed from its record before the record is deleted', async () => {
  const named = { ...booking, renter: name }
  const readings = [[named, other], [booking, other], [other]]
  const { records, ledger } = await collectionAfter('rental', readings, now)
  expect(JSON.stringify([records, [...ledger]])).not.toContain(name)
})

test('keeps the last version of a deleted record, because calendars may show canceled entries', async () => {
  const readings = [[{ ...booking, renter: name }, other], [other]]
  const { records, ledger } = await collectionAfter('rental', readings, now)
  expect(JSON.stringify(records)).not.toContain(name)
  expect(JSON.stringify([...ledger])).toContain(name)
})
