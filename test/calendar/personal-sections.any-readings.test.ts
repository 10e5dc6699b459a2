import fc from 'fast-check'
import { expect, test } from 'vitest'
import { annsCalendar, cert, collectionsAfter, ownOf, sheet } from './personal-sections.ts'

const person = fc.constantFrom('Ann Cole', 'Bo zqxj', 'Zqxj Cole', 'Ann  Zqxj', 'zqxj')
const randomSheet = fc
  .record({
    id: fc.integer({ min: 1, max: 3 }),
    status: fc.constantFrom(0, 1, 2),
    slots: fc.array(
      fc.record({
        id: fc.constant(1),
        number: fc.constantFrom(0, 1, 3),
        position: fc.constantFrom('Driver', 'Cook', ''),
        signedUp: fc.array(fc.record({ name: person, note: person, date: person }), {
          maxLength: 4,
        }),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ slots, ...rest }) =>
    sheet(slots, {
      ...rest,
      createdBy: 'zqxj',
      details: { sheet: { contact: 'zqxj' }, groups: [{ id: 1, name: 'Hall', slots }] },
    }),
  )
const randomMember = fc.record({
  id: fc.integer({ min: 6, max: 9 }),
  firstName: fc.constantFrom('Ann', 'Zqxj', 'Bo', ''),
  lastName: fc.constantFrom('Cole', 'zqxj', ''),
  rank: fc.constant('zqxj'),
})
const randomCert = fc
  .record({
    id: fc.integer({ min: 1, max: 5 }),
    memberId: fc.integer({ min: 6, max: 9 }),
    status: fc.constantFrom(0, 1, 2, 3),
    expires: fc.constantFrom('', '2026-06-30', '2027-01-31'),
    certNumber: person,
  })
  .map((change) => cert({ ...change, member: 'zqxj' }))
const reading = fc.record({
  members: fc.array(randomMember, { maxLength: 4 }),
  signup: fc.array(randomSheet, { maxLength: 3 }),
  training: fc.array(randomCert, { maxLength: 4 }),
})
const options = fc.record({
  query: fc.constantFrom('', 'cancelled=mark', 'changes=note', 'dedupe=0&prefix=1', 'show=events'),
})

test('never contains the name of another person', async () => {
  await fc.assert(
    fc.asyncProperty(reading, reading, options, async (first, second, { query }) => {
      const collections = await collectionsAfter({ ...first, events: [] }, second)
      const { text } = await annsCalendar(collections, { query })
      expect(text.replaceAll('\r\n ', '').toLowerCase()).not.toContain('zqxj')
      expect(text).not.toContain('Ann Cole')
      const full = await annsCalendar(collections, { query, profile: 'full' })
      for (const own of ownOf(full)) expect(JSON.stringify(own).toLowerCase()).not.toContain('zqxj')
    }),
    { numRuns: 60 },
  )
})

test('keeps each UID for a member and a record, and never repeats one', async () => {
  await fc.assert(
    fc.asyncProperty(reading, reading, async (first, second) => {
      for (const items of [first, second]) {
        const collections = await collectionsAfter({ ...items, events: [] })
        const { events } = await annsCalendar(collections)
        const uids = events.map(({ uid }) => uid)
        expect(new Set(uids).size).toBe(uids.length)
        for (const { uid, summary } of events) {
          expect(uid).toMatch(/^(signup|member-7-(signup|certification))-\d@cedarhollow\.example$/)
          expect(summary.startsWith('You: ')).toBe(uid.startsWith('member-7-'))
        }
      }
    }),
    { numRuns: 40 },
  )
})
