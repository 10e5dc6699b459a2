import { request } from 'undici'
import { afterAll, expect, test } from 'vitest'
import { tokenForms } from '../../../src/features/follow/token-pages.ts'
import { confirmWithinMs, type Follower } from '../../../src/followers/follower.ts'
import { startFollowedService } from '../../support/following.ts'
import { waitFor } from '../../support/wait-for.ts'

const followed = await startFollowedService({ publicFeedIds: ['events', 'news'] })
afterAll(() => followed[Symbol.asyncDispose]())
const { service, followers, post, visit, addLink } = followed

const purposes = ['confirm', 'manage', 'end'] as const
const choice = { weekly: { day: 7, hour: 18 }, changes: false, tomorrow: false, emergency: false }

let count = 0

/** Adds a follower, and returns the paths of the pages for them. */
async function addFollower(changed: { readonly language?: string; readonly linkId?: string } = {}) {
  const address = `neighbor${(count += 1)}@example.org`
  await followers.request({ address, choice, language: 'en', ...changed })
  const [follower] = await followers.ofAddress(address)
  if (!follower) throw new Error('the follower was not added')
  return {
    address,
    follower,
    path: (purpose: (typeof purposes)[number]) =>
      `/follow/${purpose}/${purpose === 'confirm' ? followers.confirmationFor(follower) : followers.tokenFor(purpose, follower)}`,
    current: async (): Promise<Follower | undefined> => (await followers.ofAddress(address))[0],
  }
}

test('lets a neighbor confirm, change and unsubscribe from the emails', async () => {
  const { address, path, current } = await addFollower()
  const masked = `n…@example.org`
  const asked = await visit(path('confirm'))
  expect(asked.text).toContain(`They will be sent to ${masked}.`)
  expect(asked.text).toContain('<li>An email every Sunday at 6 PM')
  expect((await current())?.confirmedAt).toBeUndefined()

  const confirmed = await post(path('confirm'))
  expect(confirmed.status).toBe(200)
  expect(confirmed.text).toContain('<li>An email every Sunday at 6 PM')
  expect((await current())?.confirmedAt).toBe(service.clock.now())
  const [, token] = /href="\.\.\/manage\/(\w+)"/.exec(confirmed.text) ?? []
  expect(path('manage')).toBe(`/follow/manage/${token}`)

  const form = { feed: 'news', weekly: '1', day: '6', hour: '9', changes: '1' }
  const changed = await post(path('manage'), form)
  expect(changed.text).toContain('Your choices have been saved.')
  expect(await current()).toMatchObject({
    choice: { feedIds: ['news'], weekly: { day: 6, hour: 9 }, changes: true },
  })
  const shown = (await visit(path('manage'))).text
  expect(shown).toContain('name="feed" value="news" checked')
  expect(shown).toContain('name="feed" value="events">')
  expect(shown).toContain('<option value="6" selected>Saturday')
  expect(shown).not.toContain(address)

  const ended = await post(path('end'))
  expect([ended.status, await current()]).toEqual([200, undefined])
  expect(await followed.stored()).not.toContain(token?.slice(0, 32))
  const gone = await visit(path('manage'))
  expect(gone.status).toBe(404)
  expect(gone.text).toContain('href="../../follow"')
})

test('does not sign up a person again with the first link after they have left', async () => {
  const { address, path, current } = await addFollower()
  const [confirm, end] = [path('confirm'), path('end')]
  await service.clock.advance(1)
  expect((await post(confirm)).status).toBe(200)
  await service.clock.advance(1)
  expect((await post(end)).status).toBe(200)
  for (const method of ['GET', 'POST'] as const) {
    const { status, text } = await visit(confirm, { method })
    expect(status).toBe(404)
    expect(text).toContain('This link no longer works')
  }
  expect(await current()).toBeUndefined()
  // They can sign up again.
  await followers.request({ address, choice, language: 'en' })
  const [again] = await followers.ofAddress(address)
  const link = `/follow/confirm/${again ? followers.confirmationFor(again) : ''}`
  expect((await post(link)).status).toBe(200)
  expect((await current())?.confirmedAt).toBeDefined()
})

test('does nothing when a mail scanner opens every link twenty times', async () => {
  const { path, follower } = await addFollower()
  const before = await followed.stored()
  for (const purpose of purposes) {
    for (let time = 0; time < 20; time += 1) {
      expect((await visit(path(purpose))).status).toBe(200)
      expect((await visit(path(purpose), { method: 'HEAD' })).status).toBe(200)
    }
  }
  expect(await followed.stored()).toBe(before)
  expect(before).toContain(follower.id)
})

test.for([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
] as const)('ends the emails with one click in a mail app (RFC 8058): %s', async ([type, body]) => {
  const { path, current } = await addFollower()
  const click = async () => {
    const headers = { 'content-type': type }
    const answer = await request(`${service.url}${path('end')}`, { method: 'POST', headers, body })
    return [answer.statusCode, await answer.body.text()] as const
  }
  const first = await click()
  expect(first[0]).toBe(200)
  expect(first[1]).toContain('You have been unsubscribed')
  expect(await current()).toBeUndefined()
  expect(await click()).toEqual(first)
})

test('does not accept a token for another purpose', async () => {
  const { follower, current } = await addFollower()
  const before = await current()
  const tokens = {
    confirm: followers.confirmationFor(follower),
    manage: followers.tokenFor('manage', follower),
    end: followers.tokenFor('end', follower),
  }
  for (const page of purposes) {
    for (const purpose of purposes.filter((each) => each !== page)) {
      const path = `/follow/${page}/${tokens[purpose]}`
      expect([path, (await visit(path)).status]).toEqual([path, 404])
      await post(path, { feed: 'news', changes: '1' })
    }
  }
  expect(await current()).toEqual(before)
  expect((await visit(`/follow/manage/${followers.tokenFor('end', follower)}/data`)).status).toBe(
    404,
  )
})

test.for(['a', 'a'.repeat(64), '%00', '%F0%9F%9A%92', '..%2f..%2fadmin', 'x'.repeat(4000)])(
  'responds to the token %s like to an expired one',
  async (token) => {
    for (const purpose of purposes) {
      const { status, text } = await visit(`/follow/${purpose}/${token}`)
      expect(status).toBe(404)
      expect(text).toContain('This link no longer works')
    }
    expect((await post(`/follow/confirm/${token}`)).status).toBe(404)
    expect((await post(`/follow/end/${token}`)).status).toBe(200)
    expect((await post(`/follow/manage/${token}`, { feed: 'a'.repeat(1_000_000) })).status).toBe(
      413,
    )
  },
)

test('rejects a confirmation after three days', async () => {
  const { path } = await addFollower()
  const confirm = path('confirm')
  await service.clock.leap(confirmWithinMs + 1000)
  expect((await post(confirm)).status).toBe(404)
})

test('keeps the links in emails working after email and notifications are turned off', async () => {
  const environment = { MAIL_FOLLOW: 'no', PUSH_SUBJECT: '' }
  await using silent = await startFollowedService({ environment })
  const wish = { address: 'a@example.org', choice, language: 'en' }
  const follower = await silent.followers.confirm(wish)
  if (!follower) throw new Error('the follower was not added')
  const token = silent.followers.tokenFor('manage', follower)
  expect((await silent.visit('/follow')).status).toBe(404)
  expect((await silent.visit(`/follow/manage/${token}/data`)).text).toContain(wish.address)
  const confirmation = silent.followers.confirmationFor(follower)
  expect((await silent.post(`/follow/confirm/${confirmation}`)).status).toBe(404)
  const end = `/follow/end/${silent.followers.tokenFor('end', follower)}`
  expect((await silent.post(end)).status).toBe(200)
  expect(await silent.followers.all()).toEqual([])
})

test('shows an error next to the field if nothing is selected, and saves nothing', async () => {
  const { path, current } = await addFollower()
  const before = await current()
  const { status, text } = await post(path('manage'), { day: '1', hour: '2' })
  expect(status).toBe(400)
  expect(text).toContain('id="fault-feeds" role="alert">Choose at least one.')
  expect(text).toContain('id="fault-times" role="alert">Choose when')
  expect(await current()).toEqual(before)
})

test('lets people download what is stored about them', async () => {
  const { address, path, follower } = await addFollower()
  const { text, headers } = await visit(`${path('manage')}/data`)
  expect(headers['content-type']).toContain('application/json')
  expect(headers['content-disposition']).toContain('attachment')
  const createdAt = new Date(follower.createdAt).toISOString()
  expect(JSON.parse(text)).toMatchObject({ address, choice, createdAt, means: 'mail' })
})

test('uses the language in which the emails were requested', async () => {
  const { path } = await addFollower({ language: 'es' })
  const { text } = await visit(path('manage'))
  expect(text).toContain('<html lang="es-US">')
  expect(text).toContain('<h1 id="manage">Sus correos</h1>')
  expect((await post(path('confirm'))).text).toContain('Un correo semanal, cada domingo (6 p.m.)')
})

test('stops working when the link ends', async () => {
  const link = await addLink({ feedIds: ['calendar'], expiresAt: service.clock.now() + 1_000 })
  const address = 'crew@example.org'
  await post(`${link}follow`, { address, feed: 'calendar', changes: '1' })
  const [follower] = await followers.ofAddress(address)
  if (!follower) throw new Error('the follower was not added')
  const path = `/follow/manage/${followers.tokenFor('manage', follower)}`
  expect((await visit(path)).text).toContain('value="calendar"')
  // A member of the public cannot add other feeds.
  await post(path, { feed: ['events', 'calendar'], changes: '1' })
  expect((await followers.ofAddress(address))[0]?.choice.feedIds).toBeUndefined()
  await service.clock.advance(1_001)
  expect((await visit(path)).status).toBe(404)
  // Followers of ended links are deleted soon, but not yet.
  expect(await followers.ofAddress(address)).toHaveLength(1)
})

test('is not cached or indexed, and sends no referrer', async () => {
  const { path } = await addFollower()
  for (const url of [...purposes.map(path), '/follow/end/unknown']) {
    expect((await visit(url)).headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
  }
})

test('logs neither tokens nor addresses', async () => {
  const { address, path } = await addFollower()
  for (const purpose of purposes) {
    await visit(path(purpose))
    await post(path(purpose))
  }
  await post('/follow', { address, feed: 'news', weekly: '1' })
  const logged = await waitFor(() => {
    const lines = service.lines.join('')
    expect(lines).toContain('"/follow/end/:token"')
    return lines
  })
  expect(logged).not.toContain(address)
  for (const purpose of purposes) expect(logged).not.toContain(path(purpose).slice(-20))
})

test('works below a path', async () => {
  await using below = await startFollowedService({
    publicFeedIds: ['events'],
    environment: { PUBLIC_URL: 'http://www.example.org/feeds' },
  })
  const address = 'neighbor@example.org'
  const form = { address, feed: 'events', weekly: '1' }
  expect((await below.post('/feeds/follow', form)).status).toBe(303)
  const [follower] = await below.followers.ofAddress(address)
  if (!follower) throw new Error('the follower was not added')
  const path = `/feeds/follow/confirm/${below.followers.confirmationFor(follower)}`
  expect((await below.post(path)).status).toBe(200)
})

test('limits how often a client can save, but not unsubscribe', async () => {
  const { path } = await addFollower()
  const statuses: number[] = []
  for (let time = 0; time <= tokenForms.burst; time += 1) {
    statuses.push((await post(path('manage'))).status)
  }
  expect([...new Set(statuses)]).toEqual([400, 429])
  expect((await post(path('confirm'))).status).toBe(429)
  expect((await post(path('end'))).status).toBe(200)
  await service.clock.leap(tokenForms.oneMoreMs)
  expect((await post(path('manage'))).status).toBe(404)
})
