import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newLinkId } from '../../../src/links/stored-links.ts'
import { createAdmin, testPassword } from '../../support/admin.ts'
import { createManager } from '../../support/manager.ts'
import { startTestService } from '../../support/service.ts'

const environment = { ADMIN_PASSWORD: testPassword }
const hostile = '<script>alert("1")</script>&'
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;'

let service: Awaited<ReturnType<typeof startTestService>>
let admin: ReturnType<typeof createAdmin>

beforeAll(async () => {
  service = await startTestService({ environment })
  admin = createAdmin(service.url)
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

/** Advances the clock a minute, so that earlier password attempts no longer count. */
beforeEach(() => service.clock.advance(60_000))

const faultsIn = (page: string) =>
  [...page.matchAll(/role="alert">([^<]+)</g)].map(([, fault]) => fault)

const newForm = (change: Record<string, string> = {}) => ({
  id: newLinkId(randomBytes),
  label: 'Crew',
  profile: 'members',
  feeds: 'all',
  ...change,
})

/** Signs in and creates a link. */
async function withLink(change: Record<string, string> = {}) {
  const { cookie, token } = await admin.signIn()
  const form = newForm({ token, ...change })
  const { text } = await admin.post('/admin/links', { cookie, form })
  const [, url = ''] = /value="([^"]+\/l\/[a-z2-7]{32}\/)"/.exec(text) ?? []
  const path = `/admin/links/${form.id}`
  const visit = async () => (await admin.visit(path, { cookie })).text
  const post = (fields: Record<string, string>, below = '') =>
    admin.post(`${path}${below}`, { cookie, form: { token, ...fields } })
  /** Returns the fields of the form, as a person would submit them without changes. */
  async function fields(): Promise<Record<string, string>> {
    const page = await visit()
    const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1]
    return {
      label: form.label,
      profile: form.profile,
      feeds: 'all',
      revision: valueOf('revision') ?? '',
      expires: valueOf('expires') ?? '',
    }
  }
  return { cookie, token, url, path, id: form.id, visit, post, fields }
}

describe('the form for a link', () => {
  test('changes the label, profile, feeds, expiration date and member', async () => {
    const { url, visit, post, fields } = await withLink({ profile: 'full' })
    expect(await (await fetch(`${url}rental.ics`)).text()).toContain('Harriet Bloom')
    const changes = { label: hostile, profile: 'members', expires: '2027-06-30', member: '12' }
    const saved = await post({ ...(await fields()), ...changes })
    expect([saved.status, saved.headers['location']]).toEqual([
      303,
      '/admin?done=saved#existing-links',
    ])
    const page = await visit()
    expect(page).not.toContain('<script>alert')
    expect(page).toContain(`name="label" value="${escaped}"`)
    expect(page).toContain('name="expires" value="2027-06-30"')
    expect(page).toContain('name="member" value="12"')
    expect(await (await fetch(`${url}rental.ics`)).text()).not.toContain('Harriet Bloom')
    await post({ ...(await fields()), feeds: 'some', feed: 'events' })
    expect((await fetch(`${url}rental.ics`)).status).toBe(403)
    expect((await fetch(`${url}events.ics`)).status).toBe(200)
  })

  test('pauses and resumes the link', async () => {
    const { url, visit, post } = await withLink()
    expect((await post({ q: 'crew', sort: 'name' }, '/pause')).headers['location']).toBe(
      '/admin?q=crew&sort=name&done=paused#existing-links',
    )
    expect(await visit()).toContain('Paused since Mar 5, 2026')
    expect(await (await fetch(`${url}rental.ics`)).text()).toContain('This feed link is paused')
    const { cookie } = await admin.signIn()
    const list = await admin.visit('/admin?done=paused', { cookie })
    expect(list.text).toContain('<p class="note" role="status">The link is paused.</p>')
    await post({}, '/resume')
    expect(await (await fetch(`${url}rental.ics`)).text()).not.toContain('This feed link is paused')
  })

  test('does not overwrite what somebody else has saved in the meantime', async () => {
    const { visit, post, fields } = await withLink()
    const [first, second] = [await fields(), await fields()]
    expect((await post({ ...first, label: 'From the first' })).status).toBe(303)
    const rejected = await post({ ...second, label: 'From the second' })
    expect(rejected.status).toBe(409)
    expect(faultsIn(rejected.text)).toEqual([
      expect.stringMatching(/^Somebody else has changed this link/),
    ])
    expect(rejected.text).toContain('<h1 id="link">Link for From the first</h1>')
    expect(rejected.text).toContain('name="label" value="From the second"')
    expect(await visit()).toContain('name="label" value="From the first"')
    const [, revision = ''] = /name="revision" value="(\d+)"/.exec(rejected.text) ?? []
    expect((await post({ ...second, label: 'From the second', revision })).status).toBe(303)
    expect(await visit()).toContain('name="label" value="From the second"')
  })

  test('keeps invalid values and explains them', async () => {
    const { post, fields } = await withLink()
    const sent = { label: ' ', profile: '', feeds: 'some', expires: '2020-01-01', member: 'x' }
    const { status, text } = await post({ ...(await fields()), ...sent })
    expect(status).toBe(400)
    expect(faultsIn(text)).toHaveLength(5)
    expect(text).toContain('value="2020-01-01"')
    expect(text).toContain('name="member" value="x"')
  })

  test('keeps the expiration date of an expired link, unless it is changed', async () => {
    const { url, path } = await withLink({ expires: '2026-03-06' })
    await service.clock.leap(2 * 24 * 60 * 60 * 1000)
    const { cookie, token } = await admin.signIn()
    const save = async (change: Record<string, string>) => {
      const [, revision = ''] =
        /name="revision" value="(\d+)"/.exec((await admin.visit(path, { cookie })).text) ?? []
      const form = newForm({ token, revision, ...change })
      return (await admin.post(path, { cookie, form })).headers['location']
    }
    expect(await save({ label: 'Crew 2', expires: '2026-03-06' })).toMatch(/^\/admin\?done=saved#/)
    expect((await admin.visit('/admin', { cookie })).text).toContain('<strong>Crew 2</strong>')
    expect(await (await fetch(`${url}events.ics`)).text()).toContain('This feed link has expired')
    expect(await save({ expires: '' })).toMatch(/^\/admin\?done=saved#/)
    expect(await (await fetch(`${url}events.ics`)).text()).not.toContain('has expired')
  })

  test('is replaced by an explanation once the link has been revoked', async () => {
    const { visit, post, fields } = await withLink()
    const sent = await fields()
    await post({}, '/revoke')
    expect(await visit()).toContain('A revoked link cannot be changed.')
    const rejected = await post(sent)
    expect(rejected.status).toBe(409)
    expect(faultsIn(rejected.text)).toEqual([expect.stringMatching(/^This link has been revoked/)])
  })

  test.for(['aaaaaaaa', 'nobody', 'list2'])('does not exist for the unknown id %s', async (id) => {
    const { cookie, token } = await admin.signIn()
    expect((await admin.visit(`/admin/links/${id}`, { cookie })).status).toBe(404)
    for (const path of ['', '/pause', '/resume', '/revoke']) {
      const { status } = await admin.post(`/admin/links/${id}${path}`, { cookie, form: { token } })
      expect([path, status]).toEqual([path, 404])
    }
  })
})

describe('the members', () => {
  test('are loaded on request, without losing what was entered', async () => {
    const { cookie, token } = await admin.signIn()
    const form = newForm({ token, action: 'members', label: 'Half a', member: '77' })
    const { status, text } = await admin.post('/admin/links', { cookie, form })
    expect([status, faultsIn(text)]).toEqual([200, []])
    expect(text).toContain('name="label" value="Half a"')
    expect(text).toContain('<option value="77" selected>No current member (77)</option>')
    const [, id = ''] = /<option value="(\d+)">Reyes, Jordan L, Lieutenant/.exec(text) ?? []
    const { visit, post, fields } = await withLink({ member: id })
    expect(await visit()).toContain(`for Reyes, Jordan L, Lieutenant (${id})`)
    expect((await post({ ...(await fields()), action: 'members' })).status).toBe(200)
  })

  test('can be entered by ID if the API Project may not read them', async () => {
    await using closed = await startTestService({
      environment,
      publicFeedIds: ['events'],
      prepare: async (sandbox) =>
        (await createManager(sandbox)).setProject(1, { endpoints: ['events'] }),
    })
    const { signIn, post } = createAdmin(closed.url)
    const { cookie, token } = await signIn()
    const form = newForm({ token, member: '12' })
    const { text } = await post('/admin/links', { cookie, form: { ...form, action: 'members' } })
    expect(faultsIn(text)).toEqual([expect.stringMatching(/^The API Project may not read/)])
    expect(text).toContain('name="member" value="12"')
    expect((await post('/admin/links', { cookie, form })).status).toBe(201)
  })
})

describe('the list of links', () => {
  test('can be searched and sorted, and keeps both in its forms', async () => {
    const { cookie, token, id } = await withLink({ label: `Zoë ${hostile}` })
    await admin.post('/admin/links', { cookie, form: newForm({ token, label: 'Adam' }) })
    const { text } = await admin.visit('/admin?q=zoe&sort=name', { cookie })
    expect(text).toContain('1 link matches.')
    expect(text).toContain(`Zoë ${escaped}`)
    expect(text).not.toContain('<strong>Adam</strong>')
    expect(text).toContain(`/admin/links/${id}?q=zoe&amp;sort=name`)
    expect(text).toContain('<option value="name" selected>')
    const edited = await admin.visit(`/admin/links/${id}?q=zoe&sort=name`, { cookie })
    expect(edited.text.match(/name="q" value="zoe"/g)).toHaveLength(3)
  })

  test('escapes the search text', async () => {
    const { cookie } = await withLink()
    const { text } = await admin.visit(`/admin?q=${encodeURIComponent(`${hostile}?`)}`, { cookie })
    expect(text).toContain('0 links match.')
    expect(text).toContain(`value="${escaped}?"`)
    expect(text).not.toContain('<script>alert')
  })
})

/** Submits the form with a file, like a browser does. */
async function upload(list: string | Uint8Array<ArrayBuffer>, change: Record<string, string> = {}) {
  const { cookie, token } = await admin.signIn()
  const form = new FormData()
  const { label: _, ...fields } = newForm({ token, list: '', ...change })
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('list', new Blob([list], { type: 'text/csv' }), 'crew.csv')
  const response = await fetch(`${service.url}/admin/links/list`, {
    method: 'POST',
    body: form,
    headers: { cookie, origin: service.url },
  })
  const links = async () => (await admin.visit('/admin', { cookie })).text
  return { status: response.status, text: await response.text(), links }
}

/** Returns the URLs on the cards. */
const urlsOn = (page: string) =>
  [...page.matchAll(/<p class="url">(.*?)<\/p>/g)].map(([, url = '']) =>
    url.replace(/<[^>]+>/g, ''),
  )

const names = (prefix: string) =>
  Array.from({ length: 500 }, (_, index) => `${prefix}${index}`).join('\n')

describe('a list of names', () => {
  test('creates a link and a card for each row', async () => {
    const bom = Buffer.from('\uFEFFname,profile,feeds\r\nZoë Card,full,\r\nHall Card,,events\r\n')
    const { status, text, links } = await upload(new Uint8Array(bom))
    expect(status).toBe(201)
    const urls = urlsOn(text)
    expect(urls).toHaveLength(2)
    for (const url of urls) expect((await fetch(`${url}/events.ics`)).status).toBe(200)
    expect((await fetch(`${urls[1]}/rental.ics`)).status).toBe(403)
    expect(text.match(/<svg /g)).toHaveLength(2)
    expect(await links()).toContain('<strong>Zoë Card</strong>')
  })

  test('creates nothing if one row is faulty, and keeps the list', async () => {
    const { status, text, links } = await upload('Good Row\nBad Row,boss\n')
    expect(status).toBe(400)
    expect(faultsIn(text)).toEqual([expect.stringMatching(/^Row 2: The profile “boss” is unknown/)])
    expect(text).toContain('Good Row\nBad Row,boss')
    expect(await links()).not.toContain('Good Row')
  })

  test('shows at most 20 problems', async () => {
    const { text } = await upload('Row,boss\n'.repeat(30))
    expect(faultsIn(text)).toHaveLength(20)
    expect(text).toContain('There are 10 more problems in the list. No links were created.')
  })

  test('that is submitted twice creates its links only once', async () => {
    const id = newLinkId(randomBytes)
    expect((await upload('Once A\nOnce B', { id })).status).toBe(201)
    const { status, text, links } = await upload('Once A\nOnce B', { id })
    expect([status, faultsIn(text)[0]]).toEqual([
      409,
      expect.stringMatching(/^These links were already created/),
    ])
    expect((await links()).split('<strong>Once A</strong>')).toHaveLength(2)
  })

  test('that would exceed the maximum number of links creates none', async () => {
    expect((await upload(names('first'))).status).toBe(201)
    const { status, text } = await upload(names('second'))
    expect(status).toBe(409)
    expect(faultsIn(text)[0]).toMatch(/^This would be more than the maximum/)
    expect(text).toContain('second499')
  })

  test('is explained if it is not UTF-8, empty or too large', async () => {
    const latin = await upload(new Uint8Array([0x4a, 0x6f, 0x73, 0xe9]))
    expect([latin.status, faultsIn(latin.text)[0]]).toEqual([400, expect.stringContaining('UTF-8')])
    expect((await upload('')).status).toBe(400)
    expect((await upload('x'.repeat(600_000))).status).toBe(413)
  })

  test('is only accepted with a session and a token', async () => {
    const forged = await upload('Forged', { token: 'x' })
    expect(forged.status).toBe(403)
    expect(await forged.links()).not.toContain('Forged')
    const form = new FormData()
    form.append('list', 'Forged')
    const response = await fetch(`${service.url}/admin/links/list`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    expect(response.status).toBe(303)
  })
})
