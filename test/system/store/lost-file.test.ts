import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../../src/store/open-store.ts'
import { readyService, resultOf, runProcess } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { startLoad } from '../../support/load.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { testDirectory } from '../../support/service.ts'
import { startWebsites } from '../../support/sites-process.ts'
import { allowConcurrentTests } from '../../support/test-end.ts'
import { waitFor } from '../../support/wait-for.ts'

allowConcurrentTests()

const options = { concurrent: true }

/** Starts a site, and then makes its events private. */
async function startPrivateSite() {
  const { ashton = {} } = await startWebsites(['ashton'])
  const directory = testDirectory()
  const data = join(directory, 'data')
  const port = String(await freePort())
  const environment = { ...(ashton as Record<string, string>), PORT: port, LOG_LEVEL: 'warn' }
  const siteUrl = String(ashton['SITE_URL'])
  const file = join(data, `${new URL(siteUrl).host.replaceAll(':', '_')}.sqlite`)
  let log = ''
  const run = (...args: string[]) => runProcess(directory, args, environment)
  const start = async () => {
    const started = run('serve')
    started.stderr.on('data', (text) => (log += String(text)))
    await readyService(started)
    return started
  }
  let service = await start()
  const statusOf = async (path: string) =>
    (await exchangeUrl(`http://127.0.0.1:${port}${path}`, {})).status
  const isServing = (path: string, status: number) =>
    waitFor(async () => expect(await statusOf(path)).toBe(status), 100)
  const publish = async (...publicFeeds: string[]) => {
    await using store = await openStore({
      directory: data,
      redisUrl: undefined,
      now: Date.now,
      siteUrl,
    })
    const value = JSON.stringify({ publicFeeds })
    await store.documents.write([{ bucket: 'settings', id: 'site', value }])
  }
  // On the first start, the feeds are public.
  await isServing('/events.ics', 200)
  await publish('news')
  await isServing('/events.ics', 403)
  return {
    file,
    log: () => log,
    statusOf,
    isServing,
    publish,
    command: (...args: string[]) => resultOf(run(...args)),
    removeFile() {
      for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    },
    async stop(signal: NodeJS.Signals) {
      const exited = once(service, 'exit')
      service.kill(signal)
      await exited
    },
    async start() {
      service = await start()
    },
  }
}

test('a deleted file is written back by the service that uses it', options, async () => {
  const site = await startPrivateSite()
  const stop = startLoad(() => site.statusOf('/events.ics'))
  const before = await site.command('link', 'add', '--label', 'Chief')
  expect(before.code).toBe(0)
  site.removeFile()
  await waitFor(() => expect(existsSync(site.file)).toBe(true), 100)
  expect((await site.command('link', 'list')).stdout).toContain('Chief')
  await waitFor(() => expect(site.log()).toContain('which were written back'), 100)
  expect(await stop()).toEqual(new Set([403]))
  await site.stop('SIGKILL')
  await site.start()
  await site.isServing('/news.rss', 200)
  expect(await site.statusOf('/events.ics')).toBe(403)
  expect((await site.command('link', 'list')).stdout).toContain('Chief')
})

test('no feed is public if the file is deleted while the service is stopped', options, async () => {
  const site = await startPrivateSite()
  await site.stop('SIGKILL')
  site.removeFile()
  const added = await site.command('link', 'add', '--label', 'Chief')
  expect(added.code).toBe(1)
  expect(added.stderr).toContain('is missing, though Feedhouse has used it')
  expect(existsSync(site.file)).toBe(false)
  await site.start()
  expect(site.log()).toContain('the stored settings are lost')
  expect(await site.statusOf('/news.rss')).toBe(403)
  await site.publish('news')
  await site.isServing('/news.rss', 200)
  expect(await site.statusOf('/events.ics')).toBe(403)
})

test('a damaged file that is moved away can be replaced by a backup', options, async () => {
  const site = await startPrivateSite()
  expect((await site.command('backup', 'backup.gz')).code).toBe(0)
  await site.stop('SIGKILL')
  site.removeFile()
  writeFileSync(site.file, 'damaged'.repeat(1000))
  const failed = await site.command('serve')
  expect(failed.code).not.toBe(0)
  expect(failed.stderr).toContain('file is not a database')
  const elsewhere = testDirectory()
  mkdirSync(elsewhere, { recursive: true })
  renameSync(site.file, join(elsewhere, 'damaged.sqlite'))
  expect((await site.command('restore', 'backup.gz')).code).toBe(0)
  await site.start()
  expect(site.log()).not.toContain('the stored settings are lost')
  await site.isServing('/news.rss', 200)
  expect(await site.statusOf('/events.ics')).toBe(403)
  expect(readdirSync(elsewhere)).toEqual(['damaged.sqlite'])
})
