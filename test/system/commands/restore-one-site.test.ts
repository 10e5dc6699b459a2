import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { resultOf, runProcess } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startLoad } from '../../support/load.ts'
import { emptyRedisDatabase, redisIsMissing } from '../../support/redis.ts'
import { serveSites, startWebsites } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

const note = { bucket: 'notes', id: 'a' }

/** Serves two sites, whose data is in SQLite files or in Redis. */
async function servedSites(environment: Record<string, string>) {
  const sites = await startWebsites(['ashton', 'cedar'])
  const { ask, file, ...served } = await serveSites(sites, environment)
  const settings = { ...environment, SITES_FILE: 'sites.json', DATA_DIR: 'data' }
  const store = await openStore({
    directory: `${dirname(file)}/data`,
    redisUrl: environment['REDIS_URL'],
    siteUrl: String(sites['ashton']?.['SITE_URL']),
    now: Date.now,
  })
  onTestFinished(() => store[Symbol.asyncDispose]())
  for (const name of ['ashton', 'cedar']) {
    await waitFor(async () => expect((await ask(name, '/events.ics')).status).toBe(200))
  }
  return {
    ...served,
    ask,
    documents: store.documents,
    start: (...args: readonly string[]) =>
      runProcess(dirname(file), [...args, '--site', 'ashton'], settings),
  }
}

describe.for([
  { name: 'SQLite', isMissing: false, environment: async () => ({}) },
  {
    name: 'Redis',
    isMissing: redisIsMissing,
    environment: async () => ({ REDIS_URL: await emptyRedisDatabase() }),
  },
  {
    name: 'Redis and one of several hosts',
    isMissing: redisIsMissing,
    environment: async () => {
      const PORT = String(await freePort())
      const ADVERTISE_URL = `http://127.0.0.1:${PORT}`
      return { REDIS_URL: await emptyRedisDatabase(), PORT, ADVERTISE_URL }
    },
  },
])('with $name', ({ isMissing, environment }) => {
  test.skipIf(isMissing)('restores one site while another one is served', async () => {
    const { ask, start, documents } = await servedSites(await environment())
    await documents.write([{ ...note, value: 'before' }])
    expect(await resultOf(start('backup', 'ashton.gz'))).toMatchObject({ code: 0 })
    await documents.write([{ ...note, value: 'after' }])

    const load = (name: string) => {
      // Only the first one is in the front's cache.
      const paths = ['/events.ics', '/status']
      return startLoad(async (turn) => (await ask(name, paths[turn % 2] ?? '')).status)
    }
    const [stopAshton, stopCedar] = [load('ashton'), load('cedar')]
    const { code, stderr } = await resultOf(start('restore', 'ashton.gz', '--replace'))
    expect([code, stderr]).toEqual([
      0,
      'Feedhouse is running. The site is out of service until the backup is restored.\n',
    ])
    expect(await documents.get(note.bucket, note.id)).toMatchObject({ value: 'before' })
    await waitFor(async () => expect((await ask('ashton', '/status')).status).toBe(200))
    await waitFor(async () => expect((await ask('ashton', '/news.rss')).status).toBe(200))
    expect(await stopCedar()).toEqual(new Set([200]))
    expect(await stopAshton()).toEqual(new Set([200, 503]))
  })
})
