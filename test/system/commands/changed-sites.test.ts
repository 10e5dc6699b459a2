import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startLoad } from '../../support/load.ts'
import { silentServer } from '../../support/local-server.ts'
import { serveSites, startWebsites, workersOf } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The sites in the file at startup. The second worker has cedar. */
const present = ['ashton', 'milbrook', 'cedar', 'dover', 'easton']

test('sites come, change, break and go while the others are served without a break', async () => {
  const { new: added = {}, ...first } = await startWebsites([...present, 'new'])
  const { service, file, write, url, ...served } = await serveSites(first, { LOG_LEVEL: 'info' })
  let log = ''
  service.stderr.on('data', (lines: Buffer) => (log += String(lines)))
  const ask = async (name: string, path = '/events.ics') => (await served.ask(name, path)).status
  const status = async () => (await fetch(`${url}/status`)).text()
  const { milbrook, ...rest } = first
  const others = Object.keys(rest)
  for (const name of present) await waitFor(async () => expect(await ask(name)).toBe(200))
  const workers = workersOf(service)

  const paths = ['/events.ics', '/news.rss', '/', '/livez']
  const stopLoads = others.map((name) => startLoad((turn) => ask(name, paths[turn % paths.length])))

  const { siteUrl, connected } = await silentServer()
  write({ ...first, new: { ...added, SITE_URL: siteUrl } })
  await connected
  // If the change takes longer than requests wait, the first request gets 503.
  const answered = waitFor(async () => expect(await ask('new')).toBe(200))
  write({ ...first, new: added })
  await answered

  write({ ...first, new: { ...added, PUBLIC_FEEDS: 'news' } })
  await waitFor(async () => expect(await ask('new')).toBe(403))

  // Neither written atomically nor valid. A site can be restarted nevertheless.
  writeFileSync(file, '{ "ashton": ')
  await waitFor(async () => expect(await status()).toContain('sites.json is not valid JSON'))
  for (const killed of workers) process.kill(killed, 'SIGKILL')
  await waitFor(async () => expect(await status()).toMatch(/not valid JSON.*exited unexpectedly/))
  for (const name of ['ashton', 'milbrook']) {
    await waitFor(async () => expect(await ask(name, '/calendar.ics')).toBe(403))
  }
  expect(await ask('new')).toBe(403)

  write({ ...rest, new: added })
  await waitFor(async () => expect(await ask('milbrook')).toBe(404))
  await waitFor(async () => expect(await ask('new')).toBe(200))
  await waitFor(async () => expect(await status()).not.toMatch(/not used|milbrook/))
  expect(milbrook).toBeDefined()

  const timesRead = () => log.split('the sites file was read again').length
  const before = timesRead()
  service.kill('SIGHUP')
  await waitFor(() => expect(timesRead()).toBe(before + 1))
  expect(await ask('milbrook')).toBe(404)

  for (const stopLoad of stopLoads) expect(await stopLoad()).toEqual(new Set([200]))
  const exited = once(service, 'exit')
  service.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
