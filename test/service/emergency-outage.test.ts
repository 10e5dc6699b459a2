import { afterAll, beforeEach, expect, test } from 'vitest'
import type { OpenServer } from '../../src/hosting/web-server.ts'
import { minuteMs } from '../../src/clock.ts'
import { siteTimeAt } from '../../src/records/site-time.ts'
import { stalePeriods } from '../../src/web/site-cache.ts'
import { adminEnvironment, createAdmin } from '../support/admin.ts'
import { fewRecords } from '../support/few-records.ts'
import { openFrontedServer } from '../support/fronted-server.ts'
import { startTestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const hourMs = 60 * minuteMs

/** While true, the worker answers only requests for the admin page. */
let isDown = false

const openServer: OpenServer = async (...opening) => {
  const server = await openFrontedServer(...opening)
  return {
    ...server,
    answer: (listener, forWorkers) =>
      server.answer((request, response) => {
        if (isDown && request.url?.startsWith('/admin') !== true) {
          response.writeHead(503).end()
        } else listener(request, response)
      }, forWorkers),
  }
}

const started = new AsyncDisposableStack()
afterAll(() => started.disposeAsync())
const options = { sandbox: fewRecords, environment: adminEnvironment, openServer }
const { url, clock, get } = started.use(await startTestService(options))
await get('/events.ics')
const { submit } = await createAdmin(url).signIn()

beforeEach(async () => {
  isDown = false
  await submit('/admin/screens/clear')
  await pageWith({ hasText: false })
})

const flood = { title: 'Flood', text: '', screens: 'on', pages: 'on' }
const showUntil = (until: string) => submit('/admin/screens', { ...flood, until })
const page = async () => {
  const { status, text } = await get('/agenda')
  return { status, hasText: text.includes('Flood') }
}
const pageWith = (expected: { readonly hasText: boolean }) =>
  waitFor(async () => expect(await page()).toEqual({ status: 200, ...expected }))

test('during an outage, pages show an emergency text only for a limited time', async () => {
  await showUntil('2026-03-05T18:00')
  await pageWith({ hasText: true })
  isDown = true
  await clock.leap(stalePeriods.emergencyMs)
  expect(await page()).toEqual({ status: 200, hasText: true })
  await clock.leap(60_000)
  expect((await page()).status).toBe(503)
})

test('during an outage, pages never show an emergency text after its end', async () => {
  const endAt = Math.ceil(clock.now() / minuteMs + 5) * minuteMs
  const end = siteTimeAt(endAt, 'America/New_York').slice(0, 16)
  await showUntil(end)
  await pageWith({ hasText: true })
  isDown = true
  await clock.leap(endAt - 2_000 - clock.now())
  expect(await page()).toEqual({ status: 200, hasText: true })
  await clock.leap(2_000)
  expect((await page()).status).toBe(503)
})

test.for(['/admin/screens', '/admin/screens/clear'])(
  'pages from before POST %s are not shown during an outage',
  async (path) => {
    const isCleared = path.endsWith('clear')
    if (isCleared) await showUntil('2026-03-06T18:00')
    await pageWith({ hasText: isCleared })
    isDown = true
    const form = isCleared ? {} : { ...flood, until: '2026-03-06T18:00' }
    expect((await submit(path, form)).status).toBe(303)
    expect((await page()).status).toBe(503)
    isDown = false
    await pageWith({ hasText: !isCleared })
  },
)

test('during a longer outage, pages without an emergency text are still shown', async () => {
  isDown = true
  await clock.leap(48 * hourMs)
  expect(await page()).toEqual({ status: 200, hasText: false })
})
