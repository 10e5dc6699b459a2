import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRecords, resources } from '../../src/records/read-records.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'

const event = {
  id: 7,
  title: 'Drill',
  status: 2,
  location: 'Station 1',
  contact: '',
  text: '',
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  allDay: 0,
  startTime: '19:00:00',
  endTime: '21:00:00',
  created: '2026-01-02 09:00:00',
  createdBy: 'Robin Vale',
  modified: '',
  modifiedBy: '',
}

const site = sampleDatasetOn('2026-03-05')

test.for([
  { resource: 'calendar', items: site.calendar },
  { resource: 'events', items: site.events },
  { resource: 'news', items: site.news },
] as const)('reads every record of the sample: $resource', ({ resource, items }) => {
  const { records, rejected } = readRecords(resource, items)
  expect(rejected).toEqual([])
  expect(records.length).toBe(items.length)
})

test('reads a public event', () => {
  expect(readRecords('events', [event]).records).toEqual([
    {
      ...event,
      status: 'online',
      allDay: false,
      created: '2026-01-02T09:00:00',
      modified: undefined,
    },
  ])
})

test.for([
  { name: 'numbers as strings', change: { id: '7', status: '2', allDay: '0' } },
  { name: 'missing optional fields', change: { contact: undefined, modifiedBy: undefined } },
  { name: 'null optional fields', change: { contact: null, modified: null } },
  { name: 'unknown properties', change: { shoeSize: 44 } },
  { name: 'other spellings of times', change: { startTime: '7:00 PM', endTime: '21:00' } },
])('tolerates $name', ({ change }) => {
  const asUsual = readRecords('events', [event]).records
  expect(readRecords('events', [{ ...event, ...change }])).toEqual({
    records: asUsual,
    rejected: [],
  })
})

test.for([
  { name: 'no id', change: { id: undefined }, reason: /^id: / },
  { name: 'an id of nothing', change: { id: '' }, reason: /^id: / },
  { name: 'a negative id', change: { id: -1 }, reason: /^id: / },
  {
    name: 'an impossible date',
    change: { startDate: '2026-02-30' },
    reason: /^startDate: not a date/,
  },
  { name: 'an unknown status', change: { status: 9 }, reason: /^status: not a known status/ },
  { name: 'an object as its title', change: { title: {} }, reason: /^title: / },
])('leaves out a record with $name and says why', ({ change, reason }) => {
  const good = { ...event, id: 8 }
  const { records, rejected } = readRecords('events', [{ ...event, ...change }, good])
  expect(records.map(({ id }) => id)).toEqual([8])
  expect(rejected).toEqual([{ id: expect.any(String), reason: expect.stringMatching(reason) }])
})

test('the reason never holds what the field contained', () => {
  const { rejected } = readRecords('events', [{ ...event, startDate: 'call 555-0199' }])
  expect(JSON.stringify(rejected)).not.toContain('555-0199')
})

test('an impossible end date reads as none', () => {
  expect(readRecords('events', [{ ...event, endDate: '2026-02-30' }]).records[0]?.endDate).toBe(
    undefined,
  )
})

test('keeps one record of each id, the last, in order of the ids', () => {
  const { records } = readRecords('events', [
    { ...event, id: 9 },
    { ...event, id: 7, title: 'old' },
    { ...event, id: 7, title: 'new' },
  ])
  expect(records.map(({ id, title }) => [id, title])).toEqual([
    [7, 'new'],
    [9, 'Drill'],
  ])
})

test('text comes out well-formed and without control characters', () => {
  const { records } = readRecords('events', [{ ...event, title: ' a\0b\u0085\ud83d\r\nc\rd\te ' }])
  expect(records[0]?.title).toBe('ab\ufffd\nc\nd\te')
})

test('whatever comes, reading never throws and nothing is lost uncounted', () => {
  fc.assert(
    fc.property(fc.constantFrom(...resources), fc.array(fc.anything()), (resource, items) => {
      const { records, rejected } = readRecords(resource, items)
      expect(records.length + rejected.length).toBe(items.length)
    }),
  )
})
