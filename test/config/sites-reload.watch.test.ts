import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock as clock } from '../../src/clock.ts'
import { watchSitesFile, type watchLimits } from '../../src/config/sites-reload.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** Longer than any test, so that only changes cause checks. */
const neverMs = 3_600_000

/** Watches a missing file, and returns its path and how often it has been checked. */
async function watched(limits: Partial<typeof watchLimits> = {}) {
  const directory = testDirectory()
  const file = join(directory, 'sites.json')
  const stopping = new AbortController()
  let checks = 0
  const watching = watchSitesFile(file, {
    check: () => (checks += 1),
    clock,
    signal: stopping.signal,
    limits: { watchMs: 10, quietMs: 20, checkMs: neverMs, ...limits },
  })
  onTestFinished(async () => {
    stopping.abort()
    await watching
  })
  // Otherwise the first look may come after the first change, which is then not noticed.
  await waitFor(() => expect(checks).toBeGreaterThan(1))
  return { directory, file, checks: () => checks }
}

test('checks a file at the start, when it is written, and each time it is replaced', async () => {
  const { file, checks } = await watched()
  expect(checks()).toBe(2)
  writeFileSync(file, 'one')
  await waitFor(() => expect(checks()).toBe(3))
  for (const count of [4, 5]) {
    writeFileSync(`${file}.new`, '-'.repeat(count))
    renameSync(`${file}.new`, file)
    await waitFor(() => expect(checks()).toBe(count))
  }
})

test('checks a file once when it is written in several parts', async () => {
  const { file, checks } = await watched({ quietMs: 200 })
  for (let part = 0; part < 5; part += 1) writeFileSync(file, 'x'.repeat(100_000), { flag: 'a' })
  await waitFor(() => expect(checks()).toBe(3))
})

test('checks a file in a Kubernetes volume, in which a link to a directory is replaced', async () => {
  const { directory, file, checks } = await watched()
  symlinkSync('..data/sites.json', file)
  for (const version of ['..1', '..2']) {
    const before = checks()
    mkdirSync(join(directory, version))
    writeFileSync(join(directory, version, 'sites.json'), version)
    symlinkSync(version, join(directory, '..data_tmp'))
    renameSync(join(directory, '..data_tmp'), join(directory, '..data'))
    await waitFor(() => expect(checks()).toBeGreaterThan(before))
  }
})

test('checks a file at an interval, even if its directory is missing', async () => {
  const { directory, checks } = await watched({ checkMs: 20 })
  rmSync(directory, { recursive: true })
  const before = checks()
  await waitFor(() => expect(checks()).toBeGreaterThan(before + 2))
})
