import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  adminEnvironment,
  createAdmin,
  newLinkForm,
  sharedAdmin,
  testPassword,
} from '../support/admin.ts'
import { waitFor } from '../support/wait-for.ts'
import { startTestService, temporaryDirectory, testDirectory } from '../support/service.ts'

type Service = Awaited<ReturnType<typeof startTestService>>

const { service, admin } = sharedAdmin({ publicFeedIds: ['events'] })

const signIn = (password = testPassword) => admin().post('/admin/sign-in', { form: { password } })

const tryOnce = async (password: string) => (await signIn(password)).status

const onlyEvents = { environment: adminEnvironment, publicFeedIds: ['events'] }

test('signing in sets an HttpOnly, SameSite=Strict cookie', async () => {
  const { status, headers } = await signIn()
  expect([status, headers['location']]).toEqual([303, '/admin'])
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^feedhouse=[\w-]{27}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^feedhouse-browser=[\w-]{22}\.[\w-]{43}; Max-Age=34560000; .*; HttpOnly; SameSite=Strict$/,
    ),
  ])
})

test('binds the session cookie to the host over HTTPS', async () => {
  const publicUrl = 'https://feeds.cedarhollow.example'
  const environment = { ...adminEnvironment, PUBLIC_URL: publicUrl }
  await using behind = await startTestService({ ...onlyEvents, environment })
  const { post } = createAdmin(behind.url)
  const form = { password: testPassword }
  const { headers } = await post('/admin/sign-in', { form, origin: publicUrl })
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-feedhouse=.*; Secure; SameSite=Strict$/),
    expect.stringMatching(/^__Host-feedhouse-browser=.*; Secure; SameSite=Strict$/),
  ])
  const elsewhere = await post('/admin/sign-in', { form, origin: behind.url })
  expect(elsewhere.status).toBe(403)
  expect(elsewhere.text).toContain(`Open the page at ${publicUrl}/admin`)
})

test('allows five password attempts per minute from an IP address', async () => {
  const statuses = []
  for (let time = 0; time < 7; time += 1) statuses.push(await tryOnce('wrong'))
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
  expect(await tryOnce(testPassword)).toBe(429)
  await service().clock.advance(59_000)
  expect(await tryOnce(testPassword)).toBe(429)
  await service().clock.advance(1000)
  expect(await tryOnce(testPassword)).toBe(303)
})

test('logs sign-ins, failed sign-ins and actions with their IP address', async () => {
  const before = service().lines.length
  expect((await signIn('wrong')).text).toContain('Incorrect password.')
  const { cookie, token, submit } = await admin().signIn()
  const link = newLinkForm()
  await admin().post('/admin/links', { cookie, form: { ...link, token } })
  await submit(`/admin/links/${link.id}/revoke`)
  await submit('/admin/sign-out')
  const lines = service()
    .lines.slice(before)
    .map((line) => JSON.parse(line))
  const told = lines.flatMap(({ msg, address, link: id }) => (address ? [[msg, address, id]] : []))
  expect(told).toEqual([
    ['admin sign-in failed', '127.0.0.1', undefined],
    ['admin signed in', '127.0.0.1', undefined],
    ['feed link created', '127.0.0.1', link.id],
    ['feed link revoked', '127.0.0.1', link.id],
    ['admin signed out', '127.0.0.1', undefined],
  ])
  expect(JSON.stringify(lines)).not.toContain(testPassword)
})

test('does not derive form tokens from the password', async () => {
  const { cookie, token } = await admin().signIn()
  const [, id = ''] = cookie.split('=')
  const guess = createHmac('sha256', testPassword).update(`form ${id}`).digest('base64url')
  expect(token).not.toBe(guess)
})

test('ends a session permanently at sign-out, even while the store is unavailable', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  await using broken = await startTestService({ ...onlyEvents, storeFileIn: () => file })
  const { see, submit } = await createAdmin(broken.url).signIn()
  using database = new DatabaseSync(file)
  database.exec('ALTER TABLE documents RENAME TO hidden')
  const { status, headers } = await submit('/admin/sign-out')
  expect([status, headers['location']]).toEqual([303, '/admin'])
  expect(String(headers['set-cookie'])).toContain('feedhouse=;')
  database.exec('ALTER TABLE hidden RENAME TO documents')
  expect(await see('/admin')).not.toContain('Status')
})

test('keeps a session valid on every replica until the admin signs out or the password changes', async () => {
  using directory = temporaryDirectory()
  const storeFileIn = () => join(directory.path, 'store.sqlite')
  const options = { ...onlyEvents, storeFileIn }
  await using one = await startTestService(options)
  await using other = await startTestService(options)
  const environment = { ADMIN_PASSWORD: 'another horse battery' }
  await using changed = await startTestService({ ...options, environment })
  const first = createAdmin(one.url)
  const { cookie, token } = await first.signIn()
  const isIn = async ({ url }: Service) =>
    (await createAdmin(url).visit('/admin', { cookie })).text.includes('Status')
  expect(await Promise.all([one, other, changed].map(isIn))).toEqual([true, true, false])
  await first.post('/admin/sign-out', { cookie, form: { token } })
  expect(await Promise.all([one, other].map(isIn))).toEqual([false, false])
})

test('counts wrong passwords on all replicas together, and after a restart', async () => {
  using directory = temporaryDirectory()
  const storeFileIn = () => join(directory.path, 'store.sqlite')
  const statuses: number[] = []
  const tryOn = async ({ url }: Service, password: string) => {
    const { status } = await createAdmin(url).post('/admin/sign-in', { form: { password } })
    statuses.push(status)
  }
  {
    await using one = await startTestService({ ...onlyEvents, storeFileIn })
    await using other = await startTestService({ ...onlyEvents, storeFileIn })
    for (const replica of [one, other, one, other, one, other]) await tryOn(replica, 'wrong')
  }
  await using restarted = await startTestService({ ...onlyEvents, storeFileIn })
  await tryOn(restarted, testPassword)
  expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429])
})

test('makes neither new nor known browsers wait while others guess', async () => {
  const environment = { ...adminEnvironment, TRUST_PROXY: '1' }
  await using service = await startTestService({ ...onlyEvents, environment })
  /** Signs in from an IP address that a proxy reports. */
  async function signInFrom(address: string, { password = testPassword, cookie = '' } = {}) {
    const body = new URLSearchParams({ password })
    const headers = { origin: service.url, cookie, 'x-forwarded-for': address }
    const sent = { method: 'POST', body, headers, redirect: 'manual' } as const
    return (await fetch(`${service.url}/admin/sign-in`, sent)).status
  }
  const form = { password: testPassword }
  const { headers } = await createAdmin(service.url).post('/admin/sign-in', { form })
  const [, browser = ''] = [headers['set-cookie']].flat()
  const [cookie = ''] = browser.split(';')
  await service.clock.advance(60_000)
  const statuses: number[] = []
  const guess = async (network: number) =>
    statuses.push(await signInFrom(`198.51.${network}.1`, { password: 'wrong' }))
  const guesses = Array.from({ length: 60 }, (_, index) => guess(index % 12))
  // Places are set apart for three attempts of each network, and two others are allowed at once.
  const checked = () => statuses.filter((status) => status === 403)
  await waitFor(() => expect(checked()).toHaveLength(3 * 12 + 2))
  expect(await signInFrom('192.0.2.1')).toBe(303)
  expect(await signInFrom('192.0.2.2', { cookie })).toBe(303)
  await service.clock.advance(10_000)
  await Promise.all(guesses)
})
