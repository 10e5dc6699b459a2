import { afterAll, expect, test } from 'vitest'
import { adminEnvironment, createAdmin } from '../../support/admin.ts'
import { followEnvironment, startFollowedService } from '../../support/following.ts'
import { waitFor } from '../../support/wait-for.ts'

const followed = await startFollowedService({
  environment: adminEnvironment,
  publicFeedIds: ['events'],
})
afterAll(() => followed[Symbol.asyncDispose]())
const { service, followers } = followed
const { see, submit } = await createAdmin(service.url, followEnvironment.PUBLIC_URL).signIn()
const choice = { changes: true, tomorrow: false, emergency: false }
const path = '/admin/followers'

test('shows how many people follow the site, without addresses', async () => {
  await followers.confirm({ address: 'confirmed@example.org', choice, language: 'en' })
  const wish = { address: 'rejected@example.org', choice, language: 'en' }
  const rejected = await followers.confirm(wish)
  const rejectedAt = service.clock.now()
  await followers.change(rejected?.id ?? '', (known) => known && { ...known, rejectedAt })
  await followers.addDevice({ address: 'a device', choice, language: 'en' })
  const text = await see('/admin/status')
  expect(text).toContain('<li>By email: 1</li>')
  expect(text).toContain('<li>By notifications on a device: 1</li>')
  expect(text).toContain('<li>Rejected by their mail server: 1</li>')
  expect(text).toContain('<li>Messages waiting to be sent: 0</li>')
  expect(text).not.toContain('example.org</')
})

const menuOn = async (page: string) =>
  /<nav aria-label="Admin">[^]*?<\/nav>/.exec(await see(page))?.[0]

test('is in the menu, like the page for databases', async () => {
  expect(await menuOn(path)).toMatch(/\/admin\/followers" aria-current="page">Followers</)
  expect(await menuOn('/admin')).toContain('/admin/followers">Followers<')
  expect(await menuOn('/admin/databases')).toMatch(
    /\/admin\/databases" aria-current="page">Databases</,
  )
})

test('shows followers after email and notifications are turned off, but only if there are any', async () => {
  const environment = { ...adminEnvironment, MAIL_FOLLOW: 'no', PUSH_SUBJECT: '' }
  await using off = await startFollowedService({ environment })
  const admin = await createAdmin(off.service.url, followEnvironment.PUBLIC_URL).signIn()
  expect(await admin.see('/admin/status')).not.toContain('<h2 id="followers">')
  await off.followers.confirm({ address: 'a@example.org', choice, language: 'en' })
  expect(await admin.see('/admin/status')).toContain('<li>By email: 1</li>')
})

test('finds and deletes what is stored about an address, including for links', async () => {
  const address = 'neighbor@example.org'
  await followers.request({ address, choice, language: 'en' })
  await followers.request({ address, choice, language: 'en', linkId: 'abcdefgh' })
  await followers.request({ address: 'other@example.org', choice, language: 'en' })
  const found = await submit(path, { address: ' Neighbor@Example.org ' })
  expect(found.status).toBe(200)
  expect(found.text.match(/&quot;address&quot;: &quot;neighbor@example.org&quot;/g)).toHaveLength(2)
  expect(found.text).toContain('&quot;linkId&quot;: &quot;abcdefgh&quot;')
  expect(await followers.ofAddress(address)).toHaveLength(2)
  const deleted = await submit(path, { address, delete: '1' })
  expect([deleted.status, deleted.headers['location']]).toEqual([303, `${path}?done=deleted`])
  expect(await see(`${path}?done=deleted`)).toContain('has been deleted.')
  expect(await followers.ofAddress(address)).toEqual([])
  expect(await followers.ofAddress('other@example.org')).toHaveLength(1)
  await waitFor(() => expect(service.lines.join('')).toContain('data of a follower deleted'))
  expect(service.lines.join('')).not.toMatch(/neighbor/i)
})

test('says that nothing is stored about an unknown address', async () => {
  const { text } = await submit(path, { address: '<b>nobody@example.org' })
  expect(text).toContain('Nothing is stored about this address.')
  expect(text).not.toContain('<b>nobody')
})

test('requires the password', async () => {
  const { visit, post } = createAdmin(service.url, followEnvironment.PUBLIC_URL)
  expect((await visit(path)).status).toBe(303)
  expect((await post(path, { form: { address: 'other@example.org', delete: '1' } })).status).toBe(
    303,
  )
  expect(await followers.ofAddress('other@example.org')).toHaveLength(1)
})

test('deletes the followers whose addresses were encrypted with another secret, and nobody else', async () => {
  const before = followed.followersWith('another secret with enough letters')
  expect(await see(path)).not.toContain('<h2 id="unreadable">')
  const others = (await followers.all()).length
  await before.confirm({ address: 'before@example.org', choice, language: 'en' })
  await before.addDevice({ address: 'an old device', choice, language: 'en' })
  expect(await see(path)).toContain('2 people or devices get no messages')
  await submit(path, { unreadable: '1' })
  expect(await see(`${path}?done=unreadable`)).toContain('have been deleted')
  expect(await followers.all()).toHaveLength(others)
  expect(await followers.unreadable()).toEqual([])
})
