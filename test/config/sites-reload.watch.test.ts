import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../../src/clock.ts'
import { watchLimits, watchSitesFile } from '../../src/config/sites-reload.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** Watches a file, and returns its path and how often it has been checked. */
function watched(limits: Partial<typeof watchLimits> = {}) {
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
  return { directory, file, checks: () => checks }
}

test('checks a file at the start, when it is written, and each time it is replaced', async () => {
  const { file, checks } = watched()
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
  const { file, checks } = watched({ quietMs: 500 })
  for (let part = 0; part < 5; part += 1) writeFileSync(file, 'x'.repeat(100_000), { flag: 'a' })
  await waitFor(() => expect(checks()).toBe(2))
})

test('checks a file in a Kubernetes volume, in which a link to a directory is replaced', async () => {
  const { directory, file, checks } = watched()
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
  const { directory, checks } = watched({ checkMs: 20 })
  rmSync(directory, { recursive: true })
  const before = checks()
  await waitFor(() => expect(checks()).toBeGreaterThan(before + 2))
})
