import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../../src/clock.ts'
import { createSitesReload, watchLimits, watchSitesFile } from '../../src/config/sites-reload.ts'
import { ConfigError } from '../../src/config/config-error.ts'
import type { SitesConfig } from '../../src/config/sites-config.ts'
import { createLogger } from '../../src/log.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** Parses names of sites, separated by spaces. A name that ends in `!` has an error. */
function parse(text: string): SitesConfig {
  if (text === 'broken') throw new ConfigError(['sites.json is not valid JSON.'])
  const names = text.split(' ')
  const faulty = names
    .filter((name) => name.endsWith('!'))
    .map((name) => ({ name, publicUrl: undefined, faults: [`Site ${name} has a fault.`] }))
  return { text, faulty, sites: names.map((name) => ({ name })) } as unknown as SitesConfig
}

/** A sites file that the test edits, and the versions of it that were reported. */
function editedFile(first: string) {
  let text = first
  const passedOn: string[] = []
  const lines: string[] = []
  const reload = createSitesReload(parse(first), {
    readText: () => text,
    parse,
    changed: (sites) => passedOn.push(sites.text),
    log: createLogger('error', { write: (line) => lines.push(JSON.parse(line).msg) }),
  })
  const edit = (edited: string) => {
    text = edited
    reload.check()
  }
  return { reload, edit, passedOn, lines }
}

test('reports a changed file once', () => {
  const { reload, edit, passedOn } = editedFile('ashton')
  reload.check()
  edit('ashton milbrook')
  reload.check()
  expect(passedOn).toEqual(['ashton milbrook'])
})

test('reports an unchanged file if asked to, because files that it names may have changed', () => {
  const { reload, passedOn } = editedFile('ashton')
  reload.check(true)
  expect(passedOn).toEqual(['ashton'])
})

test('says once why a changed file is not used, until it is corrected', () => {
  const { reload, edit, passedOn, lines } = editedFile('ashton')
  edit('broken')
  reload.check()
  expect(reload.faults()).toEqual(['sites.json is not valid JSON.'])
  expect(lines).toEqual(['the sites file is not used: sites.json is not valid JSON.'])
  expect(passedOn).toEqual([])
  edit('ashton')
  expect(reload.faults()).toEqual([])
  edit('ashton cedar')
  expect(passedOn).toEqual(['ashton cedar'])
})

test('uses none of the changes if one site has a new fault', () => {
  const { reload, edit, passedOn } = editedFile('ashton cedar!')
  edit('ashton cedar! milbrook dover!')
  expect(reload.faults()).toEqual(['Site dover! has a fault.'])
  expect(passedOn).toEqual([])
  edit('ashton cedar! milbrook')
  expect(passedOn).toEqual(['ashton cedar! milbrook'])
})

/** Watches a file, and returns its path and how often it has been checked. */
async function watched(limits: Partial<typeof watchLimits> = {}) {
  const directory = testDirectory()
  const file = join(directory, 'sites.json')
  const stopping = new AbortController()
  let checks = 0
  const watching = watchSitesFile(file, {
    check: () => (checks += 1),
    clock,
    signal: stopping.signal,
    limits: { ...watchLimits, watchMs: 10, quietMs: 20, ...limits },
  })
  onTestFinished(async () => {
    stopping.abort()
    await watching
  })
  // Node reads the file's first state in the background, and this later.
  await stat(directory)
  return { directory, file, checks: () => checks }
}

test('checks a file at the start, when it is written, and each time it is replaced', async () => {
  const { file, checks } = await watched()
  expect(checks()).toBe(1)
  writeFileSync(file, 'one')
  await waitFor(() => expect(checks()).toBe(2))
  for (const count of [3, 4]) {
    writeFileSync(`${file}.new`, '-'.repeat(count))
    renameSync(`${file}.new`, file)
    await waitFor(() => expect(checks()).toBe(count))
  }
})

test('checks a file once when it is written in several parts', async () => {
  const { file, checks } = await watched({ quietMs: 500 })
  for (let part = 0; part < 5; part += 1) writeFileSync(file, 'x'.repeat(100_000), { flag: 'a' })
  await waitFor(() => expect(checks()).toBe(2))
})

test('checks a file in a Kubernetes volume, in which a link to a directory is replaced', async () => {
  const { directory, file, checks } = await watched()
  symlinkSync('..data/sites.json', file)
  for (const [index, version] of ['..1', '..2'].entries()) {
    mkdirSync(join(directory, version))
    writeFileSync(join(directory, version, 'sites.json'), version.repeat(index + 1))
    symlinkSync(version, join(directory, '..data_tmp'))
    renameSync(join(directory, '..data_tmp'), join(directory, '..data'))
    await waitFor(() => expect(checks()).toBeGreaterThan(index + 1))
  }
})

test('checks a file at an interval, even if its directory is missing', async () => {
  const { directory, checks } = await watched({ checkMs: 20 })
  rmSync(directory, { recursive: true })
  const before = checks()
  await waitFor(() => expect(checks()).toBeGreaterThan(before + 2))
})
