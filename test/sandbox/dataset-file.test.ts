import { expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { datasetDirectory, event } from '../support/dataset.ts'

/* Tests that faults in the initial dataset are reported with their file, index and field. */

const notATime = 'neither empty nor a date and time yyyy-mm-dd HH:mm:ss.'

test.for([
  [{ status: '2' }, 'status: not one of the numbers 0, 1, 2.'],
  [{ startTime: '25:00' }, 'startTime: neither empty nor a time like 19:00:00 or 7:00 PM.'],
  [{ endDate: '2026-13-01' }, 'endDate: neither empty nor a date yyyy-mm-dd.'],
  [{ created: '2026-01-01 25:00:00' }, `created: ${notATime}`],
  [{ modified: '2026-01-01' }, `modified: ${notATime}`],
] as const)('for the event with %o, events.json, index 0 (id 7), %s', async ([change, fault]) => {
  expect(await faultOf({ 'events.json': [{ ...event, ...change }] })).toBe(
    `events.json, index 0 (id 7), ${fault}`,
  )
})

const field = (name: string) => ({ name, title: 'A', type: 'text' })
const records = [{ id: 4 }, { id: 5 }, { id: 4 }]
const reserved = 'fields.0.name: reserved; choose another column name.'

test.for<[fields: readonly string[], records: readonly object[], fault: string]>([
  [['a'], [{ id: 1, b: 1 }], 'records.0.b: not a field of the database.'],
  [['a'], [{ id: 1, a: true }], 'records.0.a: neither a string nor a number.'],
  [['a'], records, 'records.2.id: same id as 0.'],
  [[''], [], 'fields.0.name: empty.'],
  [['created'], [], reserved],
  [['__proto__'], [], reserved],
  [['a', 'a'], [], 'fields.1.name: same name as another field.'],
])('for fields %j with %j, databases.json, index 0 (id 1), %s', async ([fields, rows, fault]) => {
  const database = { id: 1, title: 't', fields: fields.map(field), records: rows }
  expect(await faultOf({ 'databases.json': [database] })).toBe(
    `databases.json, index 0 (id 1), ${fault}`,
  )
})

const slots = [{ id: 1, number: 'x' }]
const sheet = { id: 1, title: 't', status: 2, date: '2026-01-01', groups: [{ id: 1, slots }] }
const secondEvent = { ...event, id: 8, startDate: '2026-02-30' }

test.for<[file: string, content: unknown, fault: string]>([
  [
    'events',
    [event, secondEvent],
    'events.json, index 1 (id 8), startDate: not a date yyyy-mm-dd.',
  ],
  ['events', [event, event], 'events.json, index 1 (id 7), id: same id as index 0.'],
  ['events', [{ ...event, id: 0 }], 'events.json, index 0 (id 0), id: too small.'],
  ['events', [{ ...event, titel: 'x' }], 'events.json, index 0 (id 7): unknown property titel.'],
  ['events', ['x'], 'events.json, index 0: not an object.'],
  ['events', { items: [] }, 'events.json: not a JSON array of records.'],
  ['events', '[{]', 'events.json: not JSON: '],
  ['events', '', 'events.json: not JSON: '],
  ['events', Buffer.from([0xff, 0xfe]), 'events.json: not UTF-8 text.'],
  ['event', [event], 'event.json is not a dataset file; dataset files are announce, calendar, '],
  ['signup', [sheet], 'signup.json, index 0 (id 1), groups.0.slots.0.number: not a number.'],
  [
    'events',
    [{ id: 1.5, title: 7, startDate: '' }],
    [
      'id: not a whole number.',
      'title: not a string.',
      'status: missing.',
      'startDate: not a date yyyy-mm-dd.',
    ]
      .map((fault) => `events.json, index 0 (id 1.5), ${fault}`)
      .join('\n'),
  ],
  [
    'training',
    [{ type: 'exams', id: 1 }],
    'training.json, index 0 (id 1), type: not one of presentations, quizzes, certifications, membercerts.',
  ],
])('for %s.json with %j, reports: %s', async ([file, content, fault]) => {
  expect(await faultOf({ [`${file}.json`]: content })).toContain(fault)
})

test('reports all faults in a single error, up to twenty per file', async () => {
  const bad = Array.from({ length: 25 }, (_, index) => ({ ...event, id: index + 1, title: 7 }))
  const sentences = (await faultOf({ 'events.json': bad, 'news.json': '{}' })).split('\n')
  expect(sentences).toHaveLength(22)
  expect(sentences.at(-2)).toBe('events.json has 5 more errors.')
  expect(sentences.at(-1)).toBe('news.json: not a JSON array of records.')
})

test('reports a missing directory', async () => {
  await expect(createSandbox({ datasetDirectory: '/nowhere/at/all' })).rejects.toThrow(
    'The dataset directory /nowhere/at/all cannot be read.',
  )
})

test('accepts the same id for different types of training', async () => {
  const quiz = { type: 'quizzes', id: 1, title: 't', status: 1 }
  expect(await faultOf({ 'training.json': [quiz, { ...quiz, type: 'presentations' }, quiz] })).toBe(
    'training.json, index 2 (id 1), id: same id as index 0.',
  )
})

async function faultOf(files: Readonly<Record<string, unknown>>): Promise<string> {
  return createSandbox({ datasetDirectory: datasetDirectory(files).path }).then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
}
