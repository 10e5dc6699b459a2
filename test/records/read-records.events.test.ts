import { expect, test } from 'vitest'
import { readRecords } from '../../src/records/read-records.ts'

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
  { name: 'lists and objects instead of text', change: { contact: {}, modifiedBy: [] } },
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
  { name: 'an empty id', change: { id: '' }, reason: /^id: / },
  { name: 'a negative id', change: { id: -1 }, reason: /^id: / },
  {
    name: 'an impossible date',
    change: { startDate: '2026-02-30' },
    reason: /^startDate: not a date/,
  },
  { name: 'an unknown status', change: { status: 9 }, reason: /^status: not a known status/ },
])('rejects a record with $name and reports why', ({ change, reason }) => {
  const good = { ...event, id: 8 }
  const { records, rejected } = readRecords('events', [{ ...event, ...change }, good])
  expect(records.map(({ id }) => id)).toEqual([8])
  const readable = 'nothing'
  expect(rejected).toEqual([
    { id: expect.any(String), reason: expect.stringMatching(reason), readable },
  ])
})

test('reports a text in which the website has lost characters, and shows it as it is', () => {
  const { records, rejected } = readRecords('events', [{ ...event, text: 'Caf\uFFFD' }])
  expect(records).toMatchObject([{ text: 'Caf\uFFFD' }])
  const reason = 'text: has lost characters (\uFFFD)'
  expect(rejected).toEqual([{ id: String(event.id), reason, readable: 'all' }])
})

test('never includes the content of fields when it reports why a record was rejected', () => {
  const { rejected } = readRecords('events', [{ ...event, startDate: 'call 555-0199' }])
  expect(JSON.stringify(rejected)).not.toContain('555-0199')
})

test('distinguishes an invalid end date or time from a missing one', () => {
  const times = { endDate: '2026-02-30', startTime: '25:00', endTime: 'late' }
  const [unreadable] = readRecords('events', [{ ...event, ...times }]).records
  expect(unreadable).toMatchObject({
    endDate: null,
    startTime: { asWritten: '25:00' },
    endTime: { asWritten: 'late' },
  })
  const [none] = readRecords('events', [
    { ...event, endDate: '', startTime: '', endTime: '' },
  ]).records
  expect([none?.endDate, none?.startTime, none?.endTime]).toEqual([undefined, undefined, undefined])
})

test('keeps the last record with each id, and sorts records by id', () => {
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

test('returns well-formed strings without control characters', () => {
  const { records } = readRecords('events', [{ ...event, title: ' a\0b\u0081\ud83d\r\nc\rd\te ' }])
  expect(records[0]?.title).toBe('ab\nc\nd\te')
})

test('keeps a time that cannot be read as a short line of plain text', () => {
  const startTime = `<b>after</b>\n dark, ${'about '.repeat(20)}`
  const [record] = readRecords('events', [{ ...event, startTime, endTime: '<br>' }]).records
  expect(record?.startTime).toEqual({ asWritten: expect.stringMatching(/^after dark, .{30,50}…$/) })
  expect(record?.endTime).toBeUndefined()
})
