import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import {
  adminEnvironment,
  createAdmin,
  newLinkForm,
  sharedAdmin,
  testPassword,
  type FormOptions,
} from '../../support/admin.ts'
import { exchange, requestText } from '../../support/raw-http.ts'
import { startTestService, testDirectory } from '../../support/service.ts'

const { service, admin } = sharedAdmin()

test('has no admin page without an admin password', async () => {
  await using without = await startTestService({ publicFeedIds: ['events'] })
  const { visit, post } = createAdmin(without.url)
  expect((await visit('/admin')).status).toBe(404)
  expect((await post('/admin/sign-in', { form: { password: '' } })).status).toBe(405)
})

/** Returns the part of the page that lists the links. */
const links = (page: string) => /id="existing-links"(.*?)<\/section>/s.exec(page)?.[1]

describe('a form', () => {
  test.for<{ readonly name: string; readonly options: FormOptions; readonly status: number }>([
    { name: 'from another origin', options: { origin: 'https://evil.example' }, status: 403 },
    { name: 'with an invalid token', options: { form: newLinkForm({ token: 'x' }) }, status: 403 },
    { name: 'without a token', options: { form: newLinkForm() }, status: 403 },
    { name: 'without a session', options: { cookie: 'feedhouse=x' }, status: 303 },
    { name: 'with an empty session', options: { cookie: 'feedhouse=' }, status: 303 },
    {
      name: 'that is too large',
      options: { form: newLinkForm({ label: 'x'.repeat(200_000) }) },
      status: 413,
    },
  ])('$name is rejected', async ({ options, status }) => {
    const { cookie, token, see } = await admin().signIn()
    const before = await see('/admin')
    const valid = { cookie, form: newLinkForm({ token }) }
    const answer = await admin().post('/admin/links', { ...valid, ...options })
    expect(answer.status).toBe(status)
    expect(links(await see('/admin'))).toBe(links(before))
  })

  test('that is submitted twice creates only one link', async () => {
    const { cookie, token } = await admin().signIn()
    const sent = { cookie, form: newLinkForm({ token, label: 'Sent twice' }) }
    expect((await admin().post('/admin/links', sent)).status).toBe(201)
    const again = await admin().post('/admin/links', sent)
    expect(again.status).toBe(409)
    expect(again.text).toContain('This link was already created')
    expect(again.text).toContain('value="Sent twice"')
    const { text } = await admin().visit('/admin', { cookie })
    expect(text.split('<strong>Sent twice</strong>')).toHaveLength(2)
  })

  test('that selects both all feeds and individual feeds creates no link', async () => {
    const { cookie, token } = await admin().signIn()
    const sent = newLinkForm({ token, feed: 'rental' })
    expect((await admin().post('/admin/links', { cookie, form: sent })).status).toBe(400)
  })

  test('that is submitted to an unknown path gets a 404 response', async () => {
    const { submit } = await admin().signIn()
    for (const path of ['links/none/revoke', 'collections/none/accept', 'nothing']) {
      expect((await submit(`/admin/${path}`)).status).toBe(404)
    }
  })
})

/**
 * Submits the sign-in form the way a page on the given host would if the host name resolved to
 * Feedhouse.
 */
const signInAt = (host: string) => {
  const body = `password=${encodeURIComponent(testPassword)}`
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const length = { 'Content-Length': String(body.length) }
  const headers = { Host: host, Origin: `http://${host}`, ...type, ...length }
  const text = `${requestText('/admin/sign-in', { method: 'POST', headers })}${body}`
  return exchange(service().url, text)
}

describe('without PUBLIC_URL', () => {
  const unsafe = ['evil.example', 'evil.example:8080', 'nas', '127.0.0.1.evil.example', '', '@']
  const safe = ['localhost', 'localhost:8080', '127.0.0.1:1', '[::1]:8080', '192.168.1.7']

  test('serves the page only at hosts that are safe from DNS rebinding', async () => {
    for (const host of unsafe) expect([host, (await signInAt(host)).status]).toEqual([host, 403])
    for (const host of safe) expect([host, (await signInAt(host)).status]).toEqual([host, 303])
  })
})

test.for(['PUT', 'DELETE', 'OPTIONS', 'PATCH'])('rejects %s with 405', async (method) => {
  const { status, headers } = await exchange(service().url, requestText('/admin', { method }))
  expect([status, headers['allow']]).toEqual([405, 'GET, HEAD, POST'])
})

test('redirects to the sign-in page without a session', async () => {
  for (const path of ['/admin/', '/admin/preview/full', '/admin/nothing']) {
    const { status, headers } = await admin().visit(path)
    expect([path, status, headers['location']]).toEqual([path, 303, '/admin'])
  }
})

test('informs a signed-in admin if the store is unavailable', async () => {
  const file = join(testDirectory(), 'store.sqlite')
  await using broken = await startTestService({
    environment: adminEnvironment,
    publicFeedIds: ['events'],
    storeFileIn: () => file,
  })
  const { signIn, visit, post } = createAdmin(broken.url)
  const { cookie, token, see } = await signIn()
  const link = await broken.addLink({})
  const database = new DatabaseSync(file)
  database.exec('ALTER TABLE documents RENAME TO hidden')
  await broken.clock.advance(10_000)
  const { status, text } = await visit('/admin', { cookie })
  expect(status).toBe(200)
  const details = await see('/admin/status')
  expect(details).toContain('new records are kept only in memory')
  expect(text).toContain('The links cannot be listed right now.')
  expect((await visit('/admin', { cookie: 'feedhouse=x' })).text).toContain('Sign in')
  const sent = newLinkForm({ token })
  const refused = await post('/admin/links', { cookie, form: sent })
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '10'])
  expect((await fetch(`${link}events.ics`)).status).toBe(200)
  database.exec('ALTER TABLE hidden RENAME TO documents')
  database.close()
  expect((await post('/admin/links', { cookie, form: sent })).status).toBe(201)
})

test('prevents caching, indexing and framing of every response', async () => {
  const { cookie } = await admin().signIn()
  for (const path of ['/admin', '/admin/preview/full', '/admin/nothing']) {
    const { headers } = await admin().visit(path, { cookie })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(headers['referrer-policy']).toBe('same-origin')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
})
