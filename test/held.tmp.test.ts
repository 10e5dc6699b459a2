import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '/work/main/src/sandbox/sandbox.ts'
import { sampleDatasetOn } from '/work/main/src/sandbox/sample/sample-dataset.ts'
import { outputUntil, resultOf, run } from '/work/main/test/support/command-line.ts'
import { temporaryDirectory } from '/work/main/test/support/service.ts'
test('held', async () => {
  const website = { isEmpty: false, calls: 0 }
  const sandbox = await createSandbox({ datasetOn(today) { website.calls += 1; const sample = sampleDatasetOn(today); return website.isEmpty ? { ...sample, events: [] } : sample } })
  const directory = temporaryDirectory()
  const settings = { SITE_URL: sandbox.url, SITE_REFRESH_TOKEN: sandbox.projects[0]?.refreshToken ?? '', SITE_TIME_ZONE: sandbox.timeZone, SITE_CA_FILE: sandbox.caFile, PUBLIC_FEEDS: 'events,news,calendar', FRESH_SECONDS: '60' }
  const running = run(directory.path, ['serve'], settings)
  const urlOf = async (s) => /http:\/\/127\.0\.0\.1:\d+/.exec(await outputUntil(s, /Stop with/))[0]
  const url = await urlOf(running)
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 10000 })
  running.kill('SIGKILL'); await once(running, 'close')
  website.isEmpty = true
  const again = run(directory.path, ['serve'], settings)
  again.stderr.on('data', (c) => console.log(String(c)))
  const u2 = await urlOf(again)
  for (let i = 0; i < 10; i++) {
    await new Promise((r) => setTimeout(r, 8000))
    const s = await (await fetch(`${u2}/status`)).json()
    console.log(website.calls, JSON.stringify(s.collections.map((c) => [c.name, c.fetchedAt, c.held, c.failure])), JSON.stringify(s.budget))
  }
}, 120000)
