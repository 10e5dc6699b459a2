import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createAdmin, testPassword } from '../../support/admin.ts'
import { startTestService, temporaryDirectory } from '../../support/service.ts'

const environment = { ADMIN_PASSWORD: testPassword }

type Service = Awaited<ReturnType<typeof startTestService>>

let service: Service
let admin: ReturnType<typeof createAdmin>

beforeAll(async () => {
  service = await startTestService({ environment, publicFeedIds: ['events'] })
  admin = createAdmin(service.url)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** In another minute, in which nobody has tried a password yet. */
beforeEach(() => service.clock.advance(60_000))

const tryOnce = async (password: string) =>
  (await admin.post('/admin/sign-in', { form: { password } })).status

test('signing in gives a cookie that no script reads and no other page sends', async () => {
  const { status, headers } = await admin.post('/admin/sign-in', {
    form: { password: testPassword },
  })
  expect([status, headers['location']]).toEqual([303, '/admin'])
  expect(String(headers['set-cookie'])).toMatch(
    /^feedhouse=[\w-]{27}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
  )
})

test('over https the cookie is the browser’s for this host alone', async () => {
  const publicUrl = 'https://feeds.cedarhollow.example'
  await using behind = await startTestService({
    environment: { ...environment, PUBLIC_URL: publicUrl },
    publicFeedIds: ['events'],
  })
  const { post } = createAdmin(behind.url)
  const form = { password: testPassword }
  const { headers } = await post('/admin/sign-in', { form, origin: publicUrl })
  expect(String(headers['set-cookie'])).toMatch(/^__Host-feedhouse=.*; Secure; SameSite=Strict$/)
  const elsewhere = await post('/admin/sign-in', { form, origin: behind.url })
  expect(elsewhere.status).toBe(403)
  expect(elsewhere.text).toContain(`PUBLIC_URL says that it is ${publicUrl}.`)
})

test('a password may be tried five times in any minute from one address', async () => {
  const statuses = []
  for (let time = 0; time < 7; time += 1) statuses.push(await tryOnce('wrong'))
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
  expect(await tryOnce(testPassword)).toBe(429)
  await service.clock.advance(59_000)
  expect(await tryOnce(testPassword)).toBe(429)
  await service.clock.advance(1000)
  expect(await tryOnce(testPassword)).toBe(303)
})

test('a session lasts twelve hours', async () => {
  const { cookie } = await admin.signIn()
  await service.clock.leap(12 * 60 * 60 * 1000 - 1)
  expect((await admin.visit('/admin', { cookie })).text).toContain('How things stand')
  await service.clock.leap(1)
  expect((await admin.visit('/admin', { cookie })).text).not.toContain('How things stand')
})

test('a session counts on every replica, until signing out or another password', async () => {
  using directory = temporaryDirectory()
  const storeFileIn = () => join(directory.path, 'store.sqlite')
  const options = { environment, storeFileIn, publicFeedIds: ['events'] }
  await using one = await startTestService(options)
  await using other = await startTestService(options)
  await using changed = await startTestService({
    ...options,
    environment: { ADMIN_PASSWORD: 'another horse battery' },
  })
  const first = createAdmin(one.url)
  const { cookie, token } = await first.signIn()
  const isIn = async ({ url }: Service) =>
    (await createAdmin(url).visit('/admin', { cookie })).text.includes('How things stand')
  expect(await Promise.all([one, other, changed].map(isIn))).toEqual([true, true, false])
  await first.post('/admin/sign-out', { cookie, form: { token } })
  expect(await Promise.all([one, other].map(isIn))).toEqual([false, false])
})
