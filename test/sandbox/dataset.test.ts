import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { resourceNames } from '../../src/sandbox/resources/resources.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { datasetDirectory, event } from '../support/dataset.ts'
import { createManager } from '../support/manager.ts'
import { idsOf, startSandbox } from '../support/sandbox.ts'

test('serves the organization’s own records, with defaults for missing fields', async () => {
  const directory = datasetDirectory({ 'events.json': [event], 'notes.txt': 'mine' })
  const { get } = await startSandbox({ datasetDirectory: directory.path })
  const { body } = await get('/apps/api/events/')
  const missing = 'location contact text endTime created createdBy modified modifiedBy'.split(' ')
  const empty = Object.fromEntries(missing.map((name) => [name, '']))
  expect(body.items).toEqual([{ ...event, ...empty }])
  for (const name of resourceNames.filter((name) => name !== 'events')) {
    expect((await get(`/apps/api/${name}/`)).body.items).toEqual([])
  }
})

test('treats null as missing', async () => {
  const directory = datasetDirectory({
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

test('accepts the sample as a dataset', async () => {
  const sample = sampleDatasetOn('2026-03-05')
  const directory = datasetDirectory(
    Object.fromEntries(resourceNames.map((name) => [`${name}.json`, sample[name]])),
  )
  const { get } = await startSandbox({ datasetDirectory: directory.path, callsPerMinute: 100 })
  const usual = await startSandbox()
  for (const name of resourceNames) {
    const path = `/apps/api/${name}/`
    expect(idsOf(await get(path))).toEqual(idsOf(await usual.get(path)))
  }
})

test('serves the organization’s files', async () => {
  const directory = datasetDirectory({})
  mkdirSync(join(directory.path, 'files'))
  writeFileSync(join(directory.path, 'files', 'a.html'), '<script>1</script>')
  const { call } = await startSandbox({ datasetDirectory: directory.path })
  const { status, headers, text } = await call('GET', '/files/a.html')
  expect([status, text]).toEqual([200, '<script>1</script>'])
  expect(headers).toMatchObject({
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  })
})

describe('a file that changes while the sandbox runs', () => {
  test('is read again', async () => {
    const { write, titles, said } = await startOn({ 'events.json': [event] })
    expect(await titles()).toEqual(['Drill'])
    write('events.json', [{ ...event, title: 'Moved' }])
    expect(await titles()).toEqual(['Moved'])
    expect(said).toEqual(['events.json has changed and was reloaded.'])
  })

  test('may be added later', async () => {
    const { write, titles } = await startOn({})
    expect(await titles()).toEqual([])
    write('events.json', [event])
    expect(await titles()).toEqual(['Drill'])
  })

  test('keeps the last good records while it is invalid, and reports that only once', async () => {
    const { write, titles, said, sandbox } = await startOn({ 'events.json': [event] })
    const manager = await createManager(sandbox)
    write('events.json', [{ ...event, allDay: 2 }])
    expect(await titles()).toEqual(['Drill'])
    expect(await titles()).toEqual(['Drill'])
    expect(said).toEqual([
      'events.json, index 0 (id 7), allDay: not one of the numbers 0, 1. The previous records stay in use.',
    ])
    expect((await manager.visit('/manage/api/')).html).toContain(
      'events.json, index 0 (id 7), allDay',
    )
    write('events.json', [{ ...event, title: 'Mended' }])
    expect(await titles()).toEqual(['Mended'])
    expect((await manager.visit('/manage/api/')).html).not.toContain('events.json')
  })

  test('may be deleted if it was never valid', async () => {
    const { path, write, titles, said } = await startOn({})
    write('events.json', 'x\ny')
    expect(await titles()).toEqual([])
    rmSync(join(path, 'events.json'))
    expect(await titles()).toEqual([])
    expect(said).toEqual([
      expect.stringMatching(/^events\.json: not JSON: .* The previous records stay in use\.$/),
      'events.json was deleted.',
    ])
  })

  test.for([
    {
      name: 'a link to itself',
      fault: 'cannot be read (ELOOP)',
      make: (file: string) => symlinkSync(file, file),
    },
    { name: 'a directory', fault: 'not a file', make: (file: string) => mkdirSync(file) },
  ])(
    'that becomes $name keeps the last good records, without affecting other endpoints',
    async ({ fault, make }) => {
      const { path, titles, said, get } = await startOn({ 'events.json': [event] })
      rmSync(join(path, 'events.json'))
      make(join(path, 'events.json'))
      expect(await titles()).toEqual(['Drill'])
      expect((await get('/apps/api/news/')).status).toBe(200)
      expect(said).toEqual([`events.json: ${fault}. The previous records stay in use.`])
    },
  )

  test('keeps the last good records when it is deleted', async () => {
    const { path, titles, said } = await startOn({ 'events.json': [event] })
    const file = join(path, 'events.json')
    renameSync(file, `${file}.old`)
    expect(await titles()).toEqual(['Drill'])
    expect(said).toEqual([
      'events.json was deleted. Use an empty list [] for no records. The previous records stay in use.',
    ])
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
