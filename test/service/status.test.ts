import { expect, onTestFinished, test } from 'vitest'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { resultOf, run } from '../support/command-line.ts'
import { createManager } from '../support/manager.ts'
import { settingsFor } from '../support/sandbox.ts'
import { startTestService, testDirectory } from '../support/service.ts'
import { advanceUntil, waitFor } from '../support/wait-for.ts'

/** Starts a service for a website whose events the test can remove or corrupt. */
async function serviceOf() {
  const website = { isEmpty: false, isSpoilt: false }
  const directory = testDirectory()
  const service = await startTestService({
    sandbox: {
      datasetOn(today) {
        const sample = sampleDatasetOn(today)
        const [first, ...others] = sample.events
        if (website.isEmpty) return { ...sample, events: [] }
        if (!first) return sample
        if (!website.isSpoilt) return sample
        return { ...sample, events: [{ ...first, status: 9 as 2 }, ...others] }
      },
    },
    storeFileIn: (siteUrl) => `${directory}/${new URL(siteUrl).host.replace(':', '_')}.sqlite`,
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const { sandbox, clock, status } = service
  const command = (...args: readonly string[]) =>
    resultOf(run(directory, args, { DATA_DIR: directory, ...settingsFor(sandbox) }))
  const accept = (...args: readonly string[]) => command('collections', 'accept', ...args)
  const hold = (...args: readonly string[]) => command('collections', 'hold', ...args)
  const check = () => command('check')
  /** Advances the fake clock until the status is as expected. */
  const until = (expected: (status: Awaited<ReturnType<typeof service.status>>) => boolean) =>
    advanceUntil(clock, async () => {
      const now = await status()
      expect(expected(now)).toBe(true)
      return now
    })
  await until(({ state }) => state === 'ok')
  return { ...service, website, accept, hold, check, until }
}

test('reports that everything is working', async () => {
  const { status, url } = await serviceOf()
  const { ok, sentences, collections, budget, token, store } = await status()
  expect({ ok, sentences }).toEqual({
    ok: true,
    sentences: ['Everything has been read and is up to date.'],
  })
  expect(collections.map(({ name, failure, held }) => ({ name, failure, held }))).toEqual(
    ['calendar', 'events', 'rental', 'signup', 'news', 'announce'].map((name) => ({
      name,
      failure: null,
      held: null,
    })),
  )
  // Each resource and the token take one call. The details of some sign-up sheets may have been
  // read as well.
  expect(budget.day.used).toBeGreaterThanOrEqual(7)
  expect(budget.day.max).toBe(5000)
  expect(token.expiresAt).toMatch(/^2026-03-06T15:0/)
  expect(store).toEqual({ ok: true, failure: null })
  const response = await fetch(`${url}/status`)
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test('reports an outage, how old the served copies are, and the remedy', async () => {
  const { sandbox, until, status } = await serviceOf()
  const manager = await createManager(sandbox)
  await manager.setProject(1, { status: 'Disabled' })
  const { sentences, collections } = await until(({ ok }) => !ok)
  expect(sentences[0]).toMatch(
    /^\w+ has not been read since Thu, Mar 5, \d\d:\d\d AM; the last good copy, from Thu, Mar 5, 10:0\d AM, is served\. The next attempt is on Thu, /,
  )
  expect(sentences.filter((sentence) => sentence.includes('Members Area'))).toHaveLength(1)
  expect(collections.find(({ failure }) => failure)?.failure).toMatchObject({
    kind: 'project_disabled',
    consecutiveFailures: 1,
  })
  await manager.setProject(1, { status: 'Enabled' })
  await until(({ state }) => state === 'ok')
  expect((await status()).collections.every(({ failure }) => failure === null)).toBe(true)
})

test('retries immediately after a successful `check`', async () => {
  const { sandbox, until, clock, check } = await serviceOf()
  const manager = await createManager(sandbox)
  await manager.setProject(1, { status: 'Disabled' })
  await until(({ ok }) => !ok)
  expect((await check()).stdout).toContain('The API Project is disabled')
  await manager.setProject(1, { status: 'Enabled' })
  const repairedAt = clock.now()
  const { stdout } = await check()
  expect(stdout).not.toContain('The API Project')
  await until(({ state }) => state === 'ok')
  expect(clock.now() - repairedAt).toBeLessThan(2 * 60_000)
})

test('reports rejected records by their ids, although everything works', async () => {
  const { website, until } = await serviceOf()
  website.isSpoilt = true
  const { ok, state, sentences, collections } = await until((status) =>
    status.collections.some(({ rejectedCount }) => rejectedCount > 0),
  )
  const [id] = sampleDatasetOn('2026-03-05').events.map((event) => event.id)
  expect({ ok, state }).toEqual({ ok: true, state: 'ok' })
  expect(sentences).toEqual([
    'Everything has been read and is up to date.',
    expect.stringMatching(
      `^events has 1 record with values that cannot be used\\. Correct it on the website: ${id} \\(status: not a known status since Thu, Mar 5, .*; the last good version stays published\\)\\.$`,
    ),
  ])
  expect(collections.find(({ name }) => name === 'events')).toMatchObject({
    rejectedCount: 1,
    rejected: [{ id: String(id), reason: 'status: not a known status', since: expect.any(String) }],
  })
})

test('reports a held collection, and publishes it when an operator accepts it', async () => {
  const { website, until, accept, hold, url } = await serviceOf()
  expect(await hold('events')).toMatchObject({
    code: 1,
    stderr: 'events is not held, so there is nothing to keep holding.\n',
  })
  expect(await accept('events')).toMatchObject({
    code: 1,
    stderr: 'events is not held, so there is nothing to accept.\n',
  })
  website.isEmpty = true
  const { sentences } = await until(({ ok }) => !ok)
  expect(sentences).toEqual([
    expect.stringMatching(
      /^The website no longer has most of the records in events \(0 instead of \d+ since Thu, Mar 5, 10:\d\d AM\)\. The last good copy stays published .*npx feedhouse collections accept events\.$/,
    ),
  ])
  expect(await (await fetch(`${url}/events.ics`)).text()).toContain('BEGIN:VEVENT')
  expect(await hold('events', '--json')).toMatchObject({
    code: 0,
    stdout: '{"name":"events","isHeldByRequest":true}\n',
  })
  expect(await hold('events')).toMatchObject({
    code: 0,
    stdout: 'events stays held until its records return or you accept the loss.\n',
  })
  await until((now) => now.sentences.join().includes('held by operator request'))
  expect(await accept('events', '--json')).toEqual({
    code: 0,
    stderr: '',
    stdout: '{"name":"events","records":0}\n',
  })
  await until(({ state }) => state === 'ok')
  await waitFor(async () => {
    expect(await (await fetch(`${url}/events.ics`)).text()).not.toContain('BEGIN:VEVENT')
  })
})

test('explains why it cannot serve any feeds yet', async () => {
  await using cold = await startTestService({ sandbox: { apiEnabled: false } })
  await cold.clock.advance(0)
  const { sentences, ok } = await waitFor(async () => {
    const now = await cold.status()
    expect(now.sentences.join(' ')).toContain("The website's API is not enabled")
    return now
  })
  expect(ok).toBe(false)
  expect(sentences.join(' ')).toContain('has never been read, so there is nothing to serve yet')
})
