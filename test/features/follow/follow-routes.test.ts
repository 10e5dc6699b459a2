import { afterAll, beforeEach, expect, test } from 'vitest'
import { followRequests } from '../../../src/features/follow/follow-routes.ts'
import { startFollowedService } from '../../support/following.ts'
import { startTestService } from '../../support/service.ts'

const followed = await startFollowedService({ publicFeedIds: ['events', 'news', 'rental'] })
afterAll(() => followed[Symbol.asyncDispose]())
const { service, followers, post, visit, addLink } = followed

// A client may send all of its requests again.
beforeEach(() => service.clock.leap(followRequests.burst * followRequests.oneMoreMs))

const everything = ['events', 'news', 'rental']
const weekly = { weekly: '1', day: '7', hour: '18' }

const hostile = [
  '<script>alert(1)</script>@example.org',
  '"><img src=x onerror=alert(1)>@example.org',
  'a@example.org\nBcc: b@example.org',
  'a\0b@example.org',
  'a\u2028b@example.org',
  'a@example.org>, <b@example.org',
  '"a b"@example.org',
  'a@[127.0.0.1]',
  'a@127.0.0.1',
  'a@localhost',
  'a@b@example.org',
  '@example.org',
]

let count = 0
const newAddress = () => `neighbor${(count += 1)}@example.org`

/** Requests email for a new address, and resolves to what is stored about it. */
async function requested(path: string, fields: Readonly<Record<string, string | string[]>>) {
  const address = newAddress()
  const answer = await post(path, { address, ...fields })
  const [follower] = await followers.ofAddress(address)
  return { answer, follower }
}

test('offers all public calendars and news once a week on Sunday evening', async () => {
  const { status, text } = await visit('/follow')
  expect(status).toBe(200)
  for (const id of everything) expect(text).toContain(`name="feed" value="${id}" checked`)
  expect(text).toContain('name="weekly" value="1" checked')
  expect(text).toContain('<option value="7" selected>Sunday')
  expect(text).toContain('<option value="18" selected>6 PM')
  expect(text).toContain('name="changes" value="1">')
  expect(text).not.toContain('name="tomorrow"')
})

test('requests a confirmation of the choice', async () => {
  const { answer, follower } = await requested('/follow?lang=de', {
    feed: ['news', 'calendar', 'events'],
    weekly: '1',
    day: '1',
    hour: '0',
    changes: '1',
    tomorrow: '1',
    emergency: '1',
  })
  expect([answer.status, answer.headers['location']]).toEqual([303, 'follow?requested=1&lang=de'])
  expect(follower?.confirmedAt).toBeUndefined()
  expect(follower?.requested).toMatchObject({
    language: 'de',
    choice: {
      feedIds: ['events', 'news'],
      weekly: { day: 1, hour: 0 },
      changes: true,
      tomorrow: false,
      emergency: false,
    },
  })
  const { text } = await visit('/follow?requested=1&lang=de')
  expect(text).toContain('<h1 id="message">Prüfen Sie Ihr Postfach</h1>')
})

test('has only one page after a request', async () => {
  expect((await visit('/follow?requested=2')).status).toBe(400)
})

test('follows all feeds, including new ones, if all are selected', async () => {
  const { follower } = await requested('/follow', { feed: everything, changes: '1' })
  expect(follower?.choice.feedIds).toBeUndefined()
  expect(follower?.choice.weekly).toBeUndefined()
})

test.for(['8', '0', '1.5', 'x', ''])('ignores %s as a day of the week', async (day) => {
  const { follower } = await requested('/follow', { feed: 'news', weekly: '1', day, hour: '5' })
  expect(follower?.choice.weekly).toEqual({ day: 7, hour: 18 })
})

test.for([
  ['no address', { address: '' }, 'Enter your email address.'],
  ['an incomplete address', { address: 'neighbor' }, 'not valid'],
  ['another header', { address: 'a@example.org\r\nBcc: b@example.org' }, 'not valid'],
  ['two addresses', { address: 'a@example.org, b@example.org' }, 'not valid'],
  ['a long address', { address: `${'a'.repeat(60)}@${'b.'.repeat(100)}org` }, 'at most 254'],
  ['no feeds', { feed: [] }, 'Choose at least one.'],
  ['an unknown feed', { feed: 'calendar' }, 'Choose at least one.'],
  ['no times', { weekly: [] }, 'Choose when you want to get email.'],
] as const)('explains next to the field that it has %s', async ([, changed, sentence]) => {
  const before = await followed.stored()
  const fields = { address: newAddress(), feed: 'news', ...weekly, ...changed }
  const { status, text } = await post('/follow', fields)
  expect(status).toBe(400)
  const [, id, fault] = /<p class="fault" id="(fault-\w+)" role="alert">([^<]+)/.exec(text) ?? []
  expect(fault).toContain(sentence)
  expect(text).toContain(`aria-describedby="${id}"`)
  expect(await followed.stored()).toBe(before)
})

test('keeps what was entered if something else is missing', async () => {
  const address = newAddress()
  const { text } = await post('/follow', { address, feed: 'news', day: '3', hour: '7' })
  expect(text).toContain(`value="${address}"`)
  expect(text).toContain('name="feed" value="news" checked')
  expect(text).toContain('name="feed" value="events">')
  expect(text).toContain('name="weekly" value="1">')
})

test('escapes hostile addresses, and never stores them', async () => {
  const before = await followed.stored()
  for (const address of hostile) {
    const { status, text } = await post('/follow', { address, feed: 'news', ...weekly })
    expect([address, status]).toEqual([address, 400])
    expect(text).not.toMatch(/<script>|<img/)
    await service.clock.leap(followRequests.oneMoreMs)
  }
  expect(await followed.stored()).toBe(before)
})

test('rejects a form of a megabyte', async () => {
  expect((await post('/follow', { address: 'a'.repeat(1_000_000) })).status).toBe(413)
})

test('responds in the same way to known, unknown and rejected addresses', async () => {
  const [known, unknown, rejected] = [newAddress(), newAddress(), newAddress()]
  const choice = { changes: true, tomorrow: false, emergency: false }
  await followers.confirm({ address: known, choice, language: 'en' })
  const bounced = await followers.confirm({ address: rejected, choice, language: 'en' })
  await followers.change(
    bounced?.id ?? '',
    (follower) => follower && { ...follower, rejectedAt: service.clock.now() },
  )
  const answers = await Promise.all(
    [known, known, unknown, rejected].map(async (address) => {
      const { status, headers, text } = await post('/follow', { address, feed: 'news', ...weekly })
      const { date: _, 'x-request-id': __, ...same } = headers
      return { status, headers: same, text }
    }),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.status).toBe(303)
})

test('rejects forms from other origins', async () => {
  const form = { address: newAddress(), feed: 'news', ...weekly }
  const before = await followed.stored()
  for (const origin of ['https://evil.example', 'null']) {
    expect((await visit('/follow', { method: 'POST', form, origin })).status).toBe(403)
  }
  expect(await followed.stored()).toBe(before)
  const origin = 'http://feeds.example'
  expect((await visit('/follow', { method: 'POST', form, origin })).status).toBe(303)
})

test('limits the requests of each client', async () => {
  const statuses: number[] = []
  for (let time = 0; time <= followRequests.burst; time += 1) {
    statuses.push((await requested('/follow', { feed: 'news', ...weekly })).answer.status)
  }
  expect(statuses.map((status) => status === 303)).toEqual([
    ...Array<boolean>(followRequests.burst).fill(true),
    false,
  ])
  expect(statuses.at(-1)).toBe(429)
})

test('offers the feeds of a link, and the day before their entries', async () => {
  const link = await addLink({ feedIds: ['calendar', 'news'] })
  const { text } = await visit(`${link}follow`)
  expect(text).toContain('name="feed" value="calendar" checked')
  expect(text).not.toContain('value="events"')
  expect(text).toContain('The day before each entry')
  const { answer, follower } = await requested(`${link}follow`, { feed: 'news', tomorrow: '1' })
  expect(answer.headers['location']).toBe('follow?requested=1')
  expect(follower?.linkId).toBeDefined()
  expect(follower?.choice).toMatchObject({ feedIds: ['news'], tomorrow: true })
})

test('lets a member follow only their own entries', async () => {
  const link = await addLink({ feedIds: ['calendar'], memberId: 5 })
  expect((await visit(`${link}follow`)).text).toContain('Your own entries are always included.')
  const own = await requested(`${link}follow`, { tomorrow: '1' })
  expect(own.follower?.choice).toMatchObject({ feedIds: [], tomorrow: true })
  expect((await requested(`${link}follow`, { feed: [] })).answer.status).toBe(400)
})

test.for(['/follow', '/follow/confirm/a', '/follow/manage/a', '/follow/end/a'])(
  'allows only GET, HEAD and POST at %s',
  async (path) => {
    const { status, headers } = await fetch(`${service.url}${path}`, { method: 'PUT' })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  },
)

test('is linked from the home page and from the page of a link', async () => {
  const link = await addLink({ feedIds: ['events'] })
  for (const path of ['/', link]) {
    expect((await visit(path)).text).toContain(
      '<a class="pill" href="follow">Get a weekly email</a>',
    )
  }
})

test('does not exist unless people can follow by email', async () => {
  await using silent = await startTestService({ publicFeedIds: ['events'] })
  for (const path of ['follow', 'follow/confirm/a', 'follow/manage/a', 'follow/end/a']) {
    expect([path, (await silent.get(path)).status]).toEqual([path, 404])
  }
  expect((await silent.get('/')).text).not.toContain('href="follow"')
  expect((await fetch(`${silent.url}/follow`, { method: 'POST' })).status).toBe(404)
})

test('asks to try again later if too many people sign up in an hour', async () => {
  const environment = { MAIL_PER_DAY: '8' }
  await using busy = await startFollowedService({ publicFeedIds: ['events'], environment })
  const ask = (address: string) => busy.post('/follow', { address, feed: 'events', ...weekly })
  expect((await ask('1@example.org')).status).toBe(303)
  const { status, text, headers } = await ask('2@example.org')
  expect([status, text, headers['retry-after']]).toEqual([
    503,
    'Too many people are signing up for email right now. Please try again later.\n',
    '3600',
  ])
})
