import { once } from 'node:events'
import { expect, test } from 'vitest'
import { startLoad } from '../../support/load.ts'
import { serveSites, startWebsites, workersOf } from '../../support/sites-process.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The second worker has cedar. */
const names = ['ashton', 'cedar', 'dover'] as const

type SiteStatus = { readonly name: string; readonly sentences: readonly string[] }

test('serves several sites with two workers, one of which is killed under load', async () => {
  const { service, output, url, ask } = await serveSites(await startWebsites(names))
  const statusAt = async (name: string, path = '/events.ics') => (await ask(name, path)).status
  const statuses = async () => {
    const response = await fetch(`${url}/status`)
    return ((await response.json()) as { readonly sites: readonly SiteStatus[] }).sites
  }
  expect(output).toContain('Feedhouse serves 3 sites at http://')
  for (const name of names) {
    await waitFor(async () => expect(await statusAt(name)).toBe(200))
  }
  expect(JSON.stringify(await statuses())).not.toMatch(/not running|in time|exited/)

  const stopLoads = names.map((name) => startLoad(() => statusAt(name)))
  const [, killed = NaN] = workersOf(service)
  process.kill(killed, 'SIGKILL')
  await waitFor(async () => {
    const [ashton, cedar] = await statuses()
    expect(cedar?.sentences.join(' ')).toContain('exited unexpectedly once')
    expect(ashton?.sentences.join(' ')).not.toContain('exited')
  })
  expect(workersOf(service)).not.toContain(killed)
  await waitFor(async () => expect(await statusAt('cedar', '/news.rss')).toBe(200))
  for (const stopLoad of stopLoads) expect(await stopLoad()).toEqual(new Set([200]))

  const exited = once(service, 'exit')
  service.kill('SIGTERM')
  await waitFor(async () => expect(await statusAt('cedar', '/readyz')).toBe(503))
  expect(await statusAt('cedar')).toBe(200)
  expect(await exited).toEqual([0, null])
})
