import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resourceNames } from '../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createManager } from '../support/manager.ts'
import { idsOf, startSandbox } from '../support/sandbox.ts'
import { temporaryDirectory } from '../support/service.ts'

const event = {
  id: 7,
  title: 'Drill',
  status: 2,
  startDate: '2026-03-10',
  endDate: '2026-03-10',
  allDay: 0,
  startTime: '7:00 PM',
}

function datasetDirectory(files: Readonly<Record<string, unknown>>) {
  const directory = temporaryDirectory()
  const write = (name: string, content: unknown) =>
    writeFileSync(
      join(directory.path, name),
      typeof content === 'string' || content instanceof Buffer ? content : JSON.stringify(content),
    )
  for (const [name, content] of Object.entries(files)) write(name, content)
  return { ...directory, write, [Symbol.dispose]: directory[Symbol.dispose] }
}

async function faultOf(files: Readonly<Record<string, unknown>>): Promise<string> {
  using directory = datasetDirectory(files)
  const outcome = await createSandbox({ datasetDirectory: directory.path }).then(
    () => 'started',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  return outcome
}

test('the organisation’s own records are served; what is left out is empty', async () => {
  using directory = datasetDirectory({ 'events.json': [event], 'notes.txt': 'mine' })
  const { get } = await startSandbox({ datasetDirectory: directory.path })
  const { body } = await get('/apps/api/events/')
  expect(body.items).toEqual([
    {
      ...event,
      location: '',
      contact: '',
      text: '',
      endTime: '',
      created: '',
      createdBy: '',
      modified: '',
      modifiedBy: '',
    },
  ])
  for (const name of resourceNames.filter((name) => name !== 'events')) {
    expect((await get(`/apps/api/${name}/`)).body.items).toEqual([])
  }
})

test('null is as good as left out', async () => {
  using directory = datasetDirectory({
    'events.json': [{ ...event, location: null, endDate: null, allDay: null }],
    'databases.json': [
      { id: 1, title: 't', fields: [{ name: 'a' }], records: [{ id: 1, a: null }] },
    ],
  })
  const { get } = await startSandbox({ datasetDirectory: directory.path })
  const { body } = await get('/apps/api/events/')
  expect(body.items[0]).toMatchObject({ location: '', endDate: '', allDay: 0 })
  expect((await get('/apps/api/databases/?DatabaseID=1')).body.items[0]).toMatchObject({ a: '' })
})

test('the sample itself is a dataset', async () => {
  const sample = sampleDatasetOn('2026-03-05')
  using directory = datasetDirectory(
    Object.fromEntries(resourceNames.map((name) => [`${name}.json`, sample[name]])),
  )
  const { get } = await startSandbox({ datasetDirectory: directory.path, callsPerMinute: 100 })
  const usual = await startSandbox()
  for (const name of resourceNames) {
    const path = `/apps/api/${name}/`
    expect(idsOf(await get(path))).toEqual(idsOf(await usual.get(path)))
  }
})

test('files of the organisation are served beside the records', async () => {
  using directory = datasetDirectory({})
  mkdirSync(join(directory.path, 'files'))
  writeFileSync(join(directory.path, 'files', 'a.html'), '<script>1</script>')
  const { call } = await startSandbox({ datasetDirectory: directory.path })
  const { status, headers, text } = await call('GET', '/files/a.html')
  expect(status).toBe(200)
  expect(text).toBe('<script>1</script>')
  expect(headers).toMatchObject({
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  })
})

describe('faults to begin with are told with file, index and field', () => {
  test.for([
    {
      files: { 'events.json': [event, { ...event, id: 8, startDate: '2026-02-30' }] },
      fault: 'events.json, index 1 (id 8), startDate: not a date yyyy-mm-dd.',
    },
    {
      files: { 'events.json': [{ ...event, status: '2' }] },
      fault: 'events.json, index 0 (id 7), status: none of the numbers 0, 1, 2.',
    },
    {
      files: { 'events.json': [{ ...event, titel: 'x' }] },
      fault: 'events.json, index 0 (id 7): there is no property titel.',
    },
    {
      files: { 'events.json': [{ ...event, startTime: '25:00' }] },
      fault:
        'events.json, index 0 (id 7), startTime: neither empty nor a time like 19:00:00 or 7:00 PM.',
    },
    {
      files: { 'events.json': [event, event] },
      fault: 'events.json, index 1 (id 7), id: the id of index 0 too.',
    },
    {
      files: { 'events.json': ['x'] },
      fault: 'events.json, index 0: not an object.',
    },
    { files: { 'events.json': { items: [] } }, fault: 'events.json: not a JSON array of records.' },
    { files: { 'events.json': '[{]' }, fault: 'events.json: not JSON: ' },
    { files: { 'events.json': '' }, fault: 'events.json: not JSON: ' },
    { files: { 'events.json': Buffer.from([0xff, 0xfe]) }, fault: 'events.json: not UTF-8 text.' },
    {
      files: { 'event.json': [event] },
      fault: 'event.json is no file of a dataset; those are announce, calendar, ',
    },
    {
      files: {
        'signup.json': [
          {
            id: 1,
            title: 't',
            status: 2,
            date: '2026-01-01',
            groups: [{ id: 1, slots: [{ id: 1, number: 'x' }] }],
          },
        ],
      },
      fault: 'signup.json, index 0 (id 1), groups.0.slots.0.number: not a number.',
    },
    {
      files: {
        'databases.json': [
          {
            id: 1,
            title: 't',
            fields: [{ name: 'a', title: 'A', type: 'text' }],
            records: [
              { id: 1, b: 1 },
              { id: 2, a: true },
            ],
          },
        ],
      },
      fault:
        'databases.json, index 0 (id 1), records.0.b: not a field of the database.\ndatabases.json, index 0 (id 1), records.1.a: neither a text nor a number.',
    },
    {
      files: { 'events.json': [{ id: 1.5, title: 7, startDate: '' }] },
      fault:
        'events.json, index 0 (id 1.5), id: not a whole number.\nevents.json, index 0 (id 1.5), title: not a text in quotes.\nevents.json, index 0 (id 1.5), status: missing.\nevents.json, index 0 (id 1.5), startDate: not a date yyyy-mm-dd.',
    },
    {
      files: { 'databases.json': [{ id: 1, title: 't', fields: [{ name: '' }] }] },
      fault: 'databases.json, index 0 (id 1), fields.0.name: empty.',
    },
    {
      files: { 'databases.json': [{ id: 1, title: 't', fields: [{ name: 'created' }] }] },
      fault: 'fields.0.name: the name of a property that every object has anyway.',
    },
    {
      files: { 'databases.json': [{ id: 1, title: 't', fields: [{ name: '__proto__' }] }] },
      fault: 'fields.0.name: the name of a property that every object has anyway.',
    },
    {
      files: { 'events.json': [{ ...event, id: 0 }] },
      fault: 'events.json, index 0 (id 0), id: too small a number.',
    },
    {
      files: {
        'databases.json': [
          {
            id: 1,
            title: 't',
            fields: ['a', 'a'].map((name) => ({ name, title: 'A', type: 'text' })),
            records: [{ id: 4 }, { id: 5 }, { id: 4 }],
          },
        ],
      },
      fault: 'databases.json, index 0 (id 1), records.2.id: the id of 0 too.',
    },
    {
      files: {
        'databases.json': [
          {
            id: 1,
            title: 't',
            fields: ['a', 'a'].map((name) => ({ name, title: 'A', type: 'text' })),
          },
        ],
      },
      fault: 'databases.json, index 0 (id 1), fields.1.name: the name of another field too.',
    },
    {
      files: { 'training.json': [{ type: 'exams', id: 1 }] },
      fault: 'training.json, index 0 (id 1), type: none of those it can be.',
    },
  ])('$fault', async ({ files, fault }) => {
    expect(await faultOf(files)).toContain(fault)
  })

  test('all of them at once, of one file the first twenty', async () => {
    const bad = Array.from({ length: 25 }, (_, index) => ({ ...event, id: index + 1, title: 7 }))
    const sentences = (await faultOf({ 'events.json': bad, 'news.json': '{}' })).split('\n')
    expect(sentences).toHaveLength(22)
    expect(sentences.at(-2)).toBe('events.json has 5 more faults.')
    expect(sentences.at(-1)).toBe('news.json: not a JSON array of records.')
  })

  test('a directory that is none', async () => {
    await expect(createSandbox({ datasetDirectory: '/nowhere/at/all' })).rejects.toThrow(
      'The dataset /nowhere/at/all is not a directory that can be read.',
    )
  })

  test('ids of different types of training are apart', async () => {
    const quiz = { type: 'quizzes', id: 1, title: 't', status: 1 }
    expect(
      await faultOf({ 'training.json': [quiz, { ...quiz, type: 'presentations' }, quiz] }),
    ).toBe('training.json, index 2 (id 1), id: the id of index 0 too.')
  })
})

describe('a file that changes while the sandbox runs', () => {
  test('is picked up', async () => {
    const { write, titles, said, ...directory } = await startOn({ 'events.json': [event] })
    expect(await titles()).toEqual(['Drill'])
    write('events.json', [{ ...event, title: 'Moved' }])
    expect(await titles()).toEqual(['Moved'])
    expect(said).toEqual(['events.json has changed and was read.'])
    directory[Symbol.dispose]()
  })

  test('may come later', async () => {
    const { write, titles, ...directory } = await startOn({})
    expect(await titles()).toEqual([])
    write('events.json', [event])
    expect(await titles()).toEqual(['Drill'])
    directory[Symbol.dispose]()
  })

  test('keeps the last good records when it is broken, says so once, and is read again when mended', async () => {
    const { write, titles, said, sandbox, ...directory } = await startOn({ 'events.json': [event] })
    const manager = await createManager(sandbox)
    write('events.json', [{ ...event, allDay: 2 }])
    expect(await titles()).toEqual(['Drill'])
    expect(await titles()).toEqual(['Drill'])
    expect(said).toEqual([
      'events.json, index 0 (id 7), allDay: none of the numbers 0, 1. The records before it stay.',
    ])
    expect((await manager.visit('/manage/api/')).html).toContain(
      'events.json, index 0 (id 7), allDay',
    )
    write('events.json', [{ ...event, title: 'Mended' }])
    expect(await titles()).toEqual(['Mended'])
    expect((await manager.visit('/manage/api/')).html).not.toContain('events.json')
    directory[Symbol.dispose]()
  })

  test('that never was good may go again', async () => {
    const { path, write, titles, said, ...directory } = await startOn({})
    write('events.json', 'x\ny')
    expect(await titles()).toEqual([])
    rmSync(join(path, 'events.json'))
    expect(await titles()).toEqual([])
    expect(said).toEqual([
      expect.stringMatching(/^events\.json: not JSON: .* The records before it stay\.$/),
      'events.json is gone.',
    ])
    directory[Symbol.dispose]()
  })

  test.for([
    { name: 'a link to itself', make: (file: string) => symlinkSync(file, file) },
    { name: 'a directory', make: (file: string) => mkdirSync(file) },
  ])('that becomes $name keeps the last good records, and other endpoints', async ({ make }) => {
    const { path, titles, said, get, ...directory } = await startOn({ 'events.json': [event] })
    rmSync(join(path, 'events.json'))
    make(join(path, 'events.json'))
    expect(await titles()).toEqual(['Drill'])
    expect((await get('/apps/api/news/')).status).toBe(200)
    expect(said).toEqual([
      expect.stringMatching(/^events\.json: .*\. The records before it stay\.$/),
    ])
    directory[Symbol.dispose]()
  })

  test('keeps the last good records when it is gone', async () => {
    const { path, titles, said, ...directory } = await startOn({ 'events.json': [event] })
    const file = join(path, 'events.json')
    renameSync(file, `${file}.old`)
    expect(await titles()).toEqual(['Drill'])
    expect(said).toEqual([
      'events.json is gone; an empty list [] would say that there are no records. The records before it stay.',
    ])
    rmSync(`${file}.old`)
    directory[Symbol.dispose]()
  })
})

async function startOn(files: Readonly<Record<string, unknown>>) {
  const directory = datasetDirectory(files)
  const said: unknown[] = []
  const sandbox = await startSandbox({
    datasetDirectory: directory.path,
    report: (sentence) => void said.push(sentence),
  })
  const titles = async () =>
    (await sandbox.get('/apps/api/events/?All=1')).body.items.map(
      ({ title }: { title: string }) => title,
    )
  return { ...sandbox, ...directory, titles, said }
}
