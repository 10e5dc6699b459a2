import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ServiceStatus } from '../../../src/representations/service-status.ts'
import { createAdmin, testPassword } from '../../support/admin.ts'
import { fewRecords } from '../../support/few-records.ts'
import { createManager } from '../../support/manager.ts'
import { startTestService, temporaryDirectory } from '../../support/service.ts'
import { waitFor } from '../../support/wait-for.ts'

/** Starts a service with public events, and a link that includes rental bookings. */
async function serviceOf(endpoints: readonly string[]) {
  const service = await startTestService({
    environment: { ADMIN_PASSWORD: testPassword },
    publicFeedIds: ['events'],
    prepare: async (sandbox) => (await createManager(sandbox)).setProject(1, { endpoints }),
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  const link = await service.addLink({ profile: 'full', feedIds: ['events', 'rental'] })
  await fetch(`${link}events.ics`)
  await fetch(`${link}rental.ics`)
  const admin = createAdmin(service.url)
  const statusFor = async (cookie?: string) =>
    JSON.parse((await admin.visit('/status', cookie ? { cookie } : {})).text) as ServiceStatus
  return { ...service, signIn: admin.signIn, statusFor }
}

const namesIn = ({ collections }: ServiceStatus) => collections.map(({ name }) => name)

test('shows private collections only to a signed-in admin', async () => {
  const { statusFor, signIn } = await serviceOf(['events', 'rental'])
  expect(namesIn(await statusFor())).toEqual(['events'])
  expect(namesIn(await statusFor('feedhouse=x'))).toEqual(['events'])
  expect(namesIn(await statusFor((await signIn()).cookie))).toContain('rental')
})

test('reports to everyone that a private collection has a problem, but shows details only to the admin', async () => {
  const { statusFor, signIn, url } = await serviceOf(['events'])
  const { cookie } = await signIn()
  await waitFor(async () => expect((await statusFor(cookie)).ok).toBe(false))
  const shown = await statusFor()
  expect(shown.ok).toBe(false)
  expect(shown.sentences).toEqual([expect.stringMatching(/^Something that is not public needs/)])
  expect(JSON.stringify(shown)).not.toContain('rental')
  const page = await (await fetch(`${url}/status`, { headers: { accept: 'text/html' } })).text()
  expect(page).toContain('Something needs attention')
  expect(page).toContain(`<li>${shown.sentences[0]}</li>`)
  expect(page).toMatch(/API calls to the website in the last 24 hours: \d+ of 5,000\./)
  expect(page).not.toContain('ental')
  expect((await statusFor(cookie)).sentences.join()).toContain('rental')
})

test('shows error messages, which contain host names, only to a signed-in admin', async () => {
  const { statusFor, signIn, sandbox, clock } = await serviceOf(['events', 'rental'])
  const { cookie } = await signIn()
  await sandbox[Symbol.asyncDispose]()
  const { host } = new URL(sandbox.url)
  await waitFor(async () => {
    await clock.advance(60_000)
    expect(JSON.stringify(await statusFor(cookie))).toContain(host)
  })
  const shown = await statusFor()
  const message = expect.stringMatching(
    /^The website is down, or cannot be reached from this machine; /,
  )
  expect(shown.collections).toMatchObject([{ failure: { kind: 'unreachable', message } }])
  expect(JSON.stringify(shown)).not.toContain(host)
})

test('reports a full disk at once, keeps serving, and clears the report when there is space', async () => {
  using directory = temporaryDirectory()
  const DATA_DIR = join(directory.path, 'data')
  const use = (path: string) => {
    rmSync(DATA_DIR, { force: true })
    symlinkSync(path, DATA_DIR)
  }
  use(directory.path)
  await using service = await startTestService({
    sandbox: fewRecords,
    environment: { DATA_DIR, ADMIN_PASSWORD: testPassword },
    publicFeedIds: ['events'],
  })
  const { url, status } = service
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`)
    return { status: response.status, text: await response.text() }
  }
  const shown = async () => JSON.parse((await ask('/status')).text) as ServiceStatus
  await waitFor(async () => expect((await shown()).ok).toBe(true))
  // This file system never has any free space.
  use('/proc')
  expect(await shown()).toMatchObject({
    ok: false,
    sentences: [expect.stringMatching(/^The disk with the data directory is full\. Delete /)],
    store: { ok: false },
  })
  expect((await status()).sentences.join()).toContain(`data directory ${DATA_DIR} is full`)
  expect((await ask('/events.ics')).status).toBe(200)
  const ready = await ask('/readyz')
  expect(ready.status).toBe(200)
  const store = expect.stringContaining('is full')
  expect(JSON.parse(ready.text)).toMatchObject({ ready: true, store })
  use(directory.path)
  expect((await shown()).ok).toBe(true)
  expect(JSON.parse((await ask('/readyz')).text)).toEqual({ ready: true, waitingFor: [] })
})
