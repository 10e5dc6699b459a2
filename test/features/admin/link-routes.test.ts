import { expect, test } from 'vitest'
import {
  adminEnvironment,
  createAdmin,
  faultsIn,
  newLinkForm,
  revisionIn,
  sharedAdmin,
} from '../../support/admin.ts'
import { createManager } from '../../support/manager.ts'
import { startTestService } from '../../support/service.ts'

const hostile = '<script>alert("1")</script>&'
const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;'

const dayMs = 24 * 60 * 60 * 1000

const { service, admin } = sharedAdmin()

const urlIn = (page: string) => /value="([^"]+\/l\/[a-z2-7]{32}\/)"/.exec(page)?.[1] ?? ''

/** Signs in and creates a link. */
async function withLink(change: Record<string, string> = {}) {
  const { see, submit } = await admin().signIn()
  const form = newLinkForm(change)
  const { text } = await submit('/admin/links', form)
  const url = urlIn(text)
  const path = `/admin/links/${form.id}`
  const visit = () => see(path)
  const post = (fields: Record<string, string>, below = '') => submit(`${path}${below}`, fields)
  /** Returns the fields of the form, as a person would submit them without changes. */
  async function fields(): Promise<Record<string, string>> {
    const { label, profile } = form
    return { label, profile, feeds: 'all', expires: '', revision: revisionIn(await visit()) }
  }
  return { see, submit, text, url, path, id: form.id, visit, post, fields }
}

test('a link to the members needs the profile full, and the page with its address has a warning', async () => {
  const { submit } = await admin().signIn()
  const wish = { feeds: 'some', feed: 'members' }
  const refused = await submit('/admin/links', newLinkForm({ ...wish, profile: 'members' }))
  expect(refused.status).toBe(400)
  expect(faultsIn(refused.text)).toEqual([expect.stringMatching(/only available with .* full/)])
  const created = await withLink({ ...wish, profile: 'full' })
  expect(created.text).toContain('It gives access to Members with the profile “Full”.')
  expect(created.text).toContain('>All feed links</a>')
  const warning = 'phone numbers, email addresses and postal addresses of all members'
  expect(created.text).toContain(warning)
  expect(await created.visit()).toContain(warning)
  expect((await withLink({ profile: 'full' })).text).not.toContain(warning)
})

test('explains that there is no room for another link', async () => {
  await using own = await startTestService({ environment: adminEnvironment })
  const { submit } = await createAdmin(own.url).signIn()
  const shared = { profile: 'members', feeds: 'all' }
  for (const half of [1, 2]) {
    const list = Array.from({ length: 500 }, (_, index) => `Member ${half}-${index}`).join('\n')
    const { status } = await submit('/admin/links/list', { ...newLinkForm(shared), list })
    expect(status).toBe(201)
  }
  const { status, text } = await submit('/admin/links', newLinkForm())
  expect(status).toBe(409)
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^The maximum number of feed links/)])
})

test('changes the label, profile, feeds, expiration date and member', async () => {
  const { url, visit, post, fields } = await withLink({ profile: 'full' })
  expect(await (await fetch(`${url}rental.ics`)).text()).toContain('Harriet Bloom')
  const changes = { label: hostile, profile: 'members', expires: '2027-06-30', member: '12' }
  const saved = await post({ ...(await fields()), ...changes })
  expect(saved.status).toBe(303)
  expect(saved.headers['location']).toBe('/admin?done=saved#existing-links')
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
  const { headers } = await post({}, '/pause?q=crew&sort=name')
  expect(headers['location']).toBe('/admin?q=crew&sort=name&done=paused#existing-links')
  expect(await visit()).toMatch(/Paused<\/span> <small class="muted">since Mar 5, 2026/)
  expect(await (await fetch(`${url}rental.ics`)).text()).toContain('This feed link is paused')
  const { see } = await admin().signIn()
  expect(await see('/admin?done=paused')).toContain('role="status">The link is paused.</p>')
  await post({}, '/resume')
  expect(await (await fetch(`${url}rental.ics`)).text()).not.toContain('This feed link is paused')
})

test('does not overwrite changes that somebody else has saved in the meantime', async () => {
  const { visit, post, fields } = await withLink()
  const [first, second] = [await fields(), await fields()]
  expect((await post({ ...first, label: 'From the first' })).status).toBe(303)
  const rejected = await post({ ...second, label: 'From the second' })
  expect(rejected.status).toBe(409)
  expect(faultsIn(rejected.text)[0]).toMatch(/^Someone else has changed this link/)
  expect(rejected.text).toContain('<h1 id="link">Link for From the first</h1>')
  expect(rejected.text).toContain('name="label" value="From the second"')
  expect(await visit()).toContain('name="label" value="From the first"')
  const revision = revisionIn(rejected.text)
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
  await service().clock.leap(2 * dayMs)
  const { see, submit } = await admin().signIn()
  const save = async (change: Record<string, string>) => {
    const form = newLinkForm({ revision: revisionIn(await see(path)), ...change })
    return (await submit(path, form)).headers['location']
  }
  expect(await save({ label: 'Crew 2', expires: '2026-03-06' })).toMatch(/^\/admin\?done=saved#/)
  expect(await see('/admin')).toContain('<strong>Crew 2</strong>')
  expect(await (await fetch(`${url}events.ics`)).text()).toContain('This feed link has expired')
  expect(await save({ expires: '' })).toMatch(/^\/admin\?done=saved#/)
  expect(await (await fetch(`${url}events.ics`)).text()).not.toContain('has expired')
})

test('explains that a link cannot be changed once it has been revoked', async () => {
  const { visit, post, fields } = await withLink()
  const sent = await fields()
  await post({}, '/revoke')
  expect(await visit()).toContain('A revoked link cannot be changed.')
  const rejected = await post(sent)
  expect(rejected.status).toBe(409)
  expect(faultsIn(rejected.text)).toEqual([expect.stringMatching(/^This link has been revoked/)])
})

test.for(['aaaaaaaa', 'nobody', 'list2'])('has no page for the unknown id %s', async (id) => {
  const { cookie, submit } = await admin().signIn()
  expect((await admin().visit(`/admin/links/${id}`, { cookie })).status).toBe(404)
  for (const path of ['', '/pause', '/resume', '/revoke']) {
    const { status } = await submit(`/admin/links/${id}${path}`)
    expect([path, status]).toEqual([path, 404])
  }
})

test('loads the members on request, and keeps the submitted values', async () => {
  const { submit } = await admin().signIn()
  const form = newLinkForm({ action: 'members', label: 'Half a', member: '77' })
  const { status, text } = await submit('/admin/links', form)
  expect([status, faultsIn(text)]).toEqual([200, []])
  expect(text).toContain('name="label" value="Half a"')
  expect(text).toContain('<option value="77" selected>No current member (77)</option>')
  const [, id = ''] = /<option value="(\d+)">Reyes, Jordan L, Lieutenant/.exec(text) ?? []
  const { visit, post, fields } = await withLink({ member: id })
  expect(await visit()).toContain(`for Reyes, Jordan L, Lieutenant (${id})`)
  expect((await post({ ...(await fields()), action: 'members' })).status).toBe(200)
})

test('accepts the ID of a member that the API Project is not allowed to read', async () => {
  await using closed = await startTestService({
    environment: adminEnvironment,
    publicFeedIds: ['events'],
    prepare: async (sandbox) =>
      (await createManager(sandbox)).setProject(1, { endpoints: ['events'] }),
  })
  const { submit } = await createAdmin(closed.url).signIn()
  const form = newLinkForm({ member: '12' })
  const { text } = await submit('/admin/links', { ...form, action: 'members' })
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^The API Project is not allowed to read/)])
  expect(text).toContain('name="member" value="12"')
  expect((await submit('/admin/links', form)).status).toBe(201)
})

test('searches and sorts the list of links, and keeps both in its forms', async () => {
  // The ids of links, which are searched too, do not contain the digit 1.
  const { see, submit, id, text: created } = await withLink({ label: `Zoë1 ${hostile}` })
  expect(created).toContain(`Zoë1 ${escaped}`)
  await submit('/admin/links', newLinkForm({ label: 'Adam' }))
  const text = await see('/admin?q=zoe1&sort=name')
  expect(text).toContain('1 link matches.')
  expect(text).toContain(`Zoë1 ${escaped}`)
  expect(text).not.toContain('<strong>Adam</strong>')
  expect(text).toContain(`/admin/links/${id}?q=zoe1&amp;sort=name`)
  expect(text).toContain('<option value="name" selected>')
  const edited = await see(`/admin/links/${id}?q=zoe1&sort=name`)
  expect(edited.match(/action="[^"]+\?q=zoe1&amp;sort=name"/g)).toHaveLength(4)
  const none = await see(`/admin?q=${encodeURIComponent(`${hostile}?`)}`)
  expect(none).toContain('0 links match.')
  expect(none).toContain(`value="${escaped}?"`)
  expect(none).not.toContain('<script>alert')
})

/** Creates a link that can be renewed. */
async function withTablet() {
  const link = await withLink({ label: 'Hall tablet', feeds: 'some', feed: 'events' })
  const renew = async (sent: Record<string, string>) => {
    const { revision = '' } = await link.fields()
    return link.post({ overlap: '7', revision, ...sent }, '/renew')
  }
  return { ...link, renew }
}

const statusOf = async (url: string) => (await fetch(`${url}events.ics`)).status

test('renewing a link shows the new address, and the old one works until the overlap ends', async () => {
  const { see, url, renew, visit } = await withTablet()
  const overlap = new Date(service().clock.now() + 7 * dayMs)
  const lastDay = overlap.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'Etc/UTC' })
  const { status, text } = await renew({ 'last-day': '2027-06-30' })
  expect(status).toBe(201)
  expect(text).toContain(`It replaces the old address, which works until ${lastDay}.`)
  const renewed = urlIn(text)
  expect(renewed).not.toBe(url)
  expect([await statusOf(url), await statusOf(renewed)]).toEqual([200, 200])
  expect((await fetch(`${renewed}rental.ics`)).status).toBe(403)
  expect(await visit()).toContain(`until ${lastDay}`)
  const list = await see('/admin?q=hall+tablet')
  expect(list).toContain(`Old address</span> <small class="muted">until ${lastDay}`)
  expect(list).toContain('Active</span> <small class="muted">until Jun 30, 2027')
  expect(list).not.toContain(renewed)
  await service().clock.leap(8 * dayMs)
  expect(await (await fetch(`${url}events.ics`)).text()).toContain('This feed link has expired')
  expect(await (await fetch(`${renewed}events.ics`)).text()).not.toContain('has expired')
})

test('a renewal that is submitted twice creates only one address', async () => {
  const { fields, renew } = await withTablet()
  const { revision = '' } = await fields()
  expect((await renew({ revision })).status).toBe(201)
  const { status, text } = await renew({ revision })
  expect(status).toBe(409)
  expect(faultsIn(text)).toEqual([expect.stringMatching(/^This link has been changed or renewed/)])
})

test('explains why a renewal was rejected, and keeps the invalid values in the form', async () => {
  const { renew } = await withTablet()
  const past = await renew({ 'last-day': '2020-01-01' })
  expect(past.status).toBe(400)
  expect(faultsIn(past.text)).toEqual(['Choose today or a later date as the last day.'])
  expect(past.text).toContain('value="2020-01-01"')
  expect(past.text).toContain('<option value="7" selected>')
  expect((await renew({ overlap: '9999' })).status).toBe(400)
})
