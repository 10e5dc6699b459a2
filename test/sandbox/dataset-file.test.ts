import { expect, test } from 'vitest'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { datasetDirectory, event } from '../support/dataset.ts'

/* Tests that faults in the initial dataset are reported with their file, index and field. */

test.for([
  { change: { status: '2' }, fault: 'status: not one of the numbers 0, 1, 2.' },
  {
    change: { startTime: '25:00' },
    fault: 'startTime: neither empty nor a time like 19:00:00 or 7:00 PM.',
  },
  { change: { endDate: '2026-13-01' }, fault: 'endDate: neither empty nor a date yyyy-mm-dd.' },
  {
    change: { created: '2026-01-01 25:00:00' },
    fault: 'created: neither empty nor a date and time yyyy-mm-dd HH:mm:ss.',
  },
  {
    change: { modified: '2026-01-01' },
    fault: 'modified: neither empty nor a date and time yyyy-mm-dd HH:mm:ss.',
  },
])('events.json, index 0 (id 7), $fault', async ({ change, fault }) => {
  expect(await faultOf({ 'events.json': [{ ...event, ...change }] })).toBe(
    `events.json, index 0 (id 7), ${fault}`,
  )
})

const field = (name: string) => ({ name, title: 'A', type: 'text' })

test.for([
  {
    database: { fields: [field('a')], records: [{ id: 1, b: 1 }] },
    fault: 'records.0.b: not a field of the database.',
  },
  {
    database: { fields: [field('a')], records: [{ id: 1, a: true }] },
    fault: 'records.0.a: neither a string nor a number.',
  },
  { database: { fields: [field('')] }, fault: 'fields.0.name: empty.' },
  {
    database: { fields: [field('created')] },
    fault: 'fields.0.name: reserved; choose another column name.',
  },
  {
    database: { fields: [field('__proto__')] },
    fault: 'fields.0.name: reserved; choose another column name.',
  },
  {
    database: { fields: [field('a')], records: [{ id: 4 }, { id: 5 }, { id: 4 }] },
    fault: 'records.2.id: same id as 0.',
  },
  {
    database: { fields: [field('a'), field('a')] },
    fault: 'fields.1.name: same name as another field.',
  },
])('databases.json, index 0 (id 1), $fault', async ({ database, fault }) => {
  const databases = [{ id: 1, title: 't', ...database }]
  expect(await faultOf({ 'databases.json': databases })).toBe(
    `databases.json, index 0 (id 1), ${fault}`,
  )
})

const slots = [{ id: 1, number: 'x' }]
const sheet = { id: 1, title: 't', status: 2, date: '2026-01-01', groups: [{ id: 1, slots }] }

test.for([
  {
    files: { 'events.json': [event, { ...event, id: 8, startDate: '2026-02-30' }] },
    fault: 'events.json, index 1 (id 8), startDate: not a date yyyy-mm-dd.',
  },
  {
    files: { 'events.json': [event, event] },
    fault: 'events.json, index 1 (id 7), id: same id as index 0.',
  },
  {
    files: { 'events.json': [{ ...event, id: 0 }] },
    fault: 'events.json, index 0 (id 0), id: too small.',
  },
  {
    files: { 'events.json': [{ ...event, titel: 'x' }] },
    fault: 'events.json, index 0 (id 7): unknown property titel.',
  },
  { files: { 'events.json': ['x'] }, fault: 'events.json, index 0: not an object.' },
  { files: { 'events.json': { items: [] } }, fault: 'events.json: not a JSON array of records.' },
  { files: { 'events.json': '[{]' }, fault: 'events.json: not JSON: ' },
  { files: { 'events.json': '' }, fault: 'events.json: not JSON: ' },
  { files: { 'events.json': Buffer.from([0xff, 0xfe]) }, fault: 'events.json: not UTF-8 text.' },
  {
    files: { 'event.json': [event] },
    fault: 'event.json is not a dataset file; dataset files are announce, calendar, ',
  },
  {
    files: { 'signup.json': [sheet] },
    fault: 'signup.json, index 0 (id 1), groups.0.slots.0.number: not a number.',
  },
  {
    files: { 'events.json': [{ id: 1.5, title: 7, startDate: '' }] },
    fault: [
      'id: not a whole number.',
      'title: not a string.',
      'status: missing.',
      'startDate: not a date yyyy-mm-dd.',
    ]
      .map((fault) => `events.json, index 0 (id 1.5), ${fault}`)
      .join('\n'),
  },
  {
    files: { 'training.json': [{ type: 'exams', id: 1 }] },
    fault:
      'training.json, index 0 (id 1), type: not one of presentations, quizzes, certifications, membercerts.',
  },
])('$fault', async ({ files, fault }) => {
  expect(await faultOf(files)).toContain(fault)
})

test('reports all faults in a single error, up to twenty per file', async () => {
  const bad = Array.from({ length: 25 }, (_, index) => ({ ...event, id: index + 1, title: 7 }))
  const sentences = (await faultOf({ 'events.json': bad, 'news.json': '{}' })).split('\n')
  expect(sentences).toHaveLength(22)
  expect(sentences.at(-2)).toBe('events.json has 5 more faults.')
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
