import { afterAll, expect, test } from 'vitest'
import { exchangeUrl as ask } from '../../support/raw-http.ts'
import { resourcesAt } from '../../support/read-calendar.ts'
import { startTestService } from '../../support/service.ts'

const service = await startTestService({ publicFeedIds: ['events'] })
afterAll(() => service[Symbol.asyncDispose]())
const link = await service.addLink({ feedIds: ['calendar', 'events', 'rental', 'news'] })

type Fields = readonly (readonly [name: string, value: string])[]

async function save(page: string, fields: Fields, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(page, {
    method: 'POST',
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    headers: { origin: new URL(page).origin, ...headers },
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  return { status: response.status, location, text: await response.text() }
}

const rentalsOnly: Fields = [
  ['calendar.feed', 'rental'],
  ['news.feed', 'news'],
]

test('shows a person’s saved selection at the same URLs', async () => {
  const calendar = `${link}my.ics`
  expect(await resourcesAt(calendar)).toEqual(['calendar', 'events', 'rental'])
  // The second request is served from the published responses.
  const { headers } = await ask(calendar)
  const before = headers['last-modified'] ?? ''
  await service.clock.advance(5_000)
  const { status, location } = await save(link, [...rentalsOnly, ['calendar.alarm', '60']])
  expect([status, location]).toEqual([303, 'feeds?saved=1#my'])
  expect(await resourcesAt(calendar)).toEqual(['rental'])
  const { status: changed, body } = await ask(calendar, { 'If-Modified-Since': before })
  expect(changed).toBe(200)
  expect(body.toString()).toContain('TRIGGER:-PT60M')
  expect((await ask(`${link}my.rss`)).body.toString()).not.toContain(':events-')
  const page = (await ask(`${link}feeds?saved=1`)).body.toString()
  expect(page).toContain('Your choice is saved.')
  expect(page).toMatch(/name="calendar\.feed" value="rental" checked/)
  expect(page).toMatch(/name="calendar\.feed" value="events">/)
})

test('shows how many entries and items match the saved searches', async () => {
  const member = await service.addLink({ profile: 'full', memberId: 12 })
  const matchesAfter = async (page: string, fields: Fields) => {
    expect((await save(page, fields)).status).toBe(303)
    for (const path of ['my.ics', 'my.rss', 'events.rss']) await fetch(`${page}${path}`)
    await service.clock.advance(60_000)
    const { body } = await ask(`${page}feeds`)
    const [, form = ''] =
      /<section class="card" id="my"([^]*?)<\/section>/.exec(body.toString()) ?? []
    return [...form.matchAll(/<p class="note">([^<]+)(?:<a href="([^"]+)")?/g)].map(
      ([, text = '', path = '']) => [text.trim(), path.replaceAll('&amp;', '&')],
    )
  }
  const both: Fields = [
    ['calendar.feed', 'events'],
    ['calendar.q', 'pancake'],
    ['calendar.place', 'station 1'],
    ['news.feed', 'news'],
    ['news.q', 'zebra'],
  ]
  expect(await matchesAfter(link, both)).toEqual([
    [
      expect.stringMatching(/^\d+ upcoming entries match right now\.$/),
      'agenda?q=pancake&place=station+1&show=events',
    ],
    ['No items match right now. As soon as one does, it will appear.', ''],
  ])
  expect(await matchesAfter(link, rentalsOnly)).toEqual([])
  const own: Fields = [
    ['calendar.q', 'standby'],
    ['news.feed', 'news'],
  ]
  expect(await matchesAfter(member, own)).toEqual([['1 upcoming entry matches right now.', '']])
  // Entries of the feed that are also the member's own are counted once.
  const board = await ask(`${member}board.json?show=signup&q=standby`)
  const { length } = JSON.parse(board.body.toString()) as readonly unknown[]
  expect(length).toBeGreaterThan(1)
  expect(await matchesAfter(member, [...own, ['calendar.feed', 'signup']])).toEqual([
    [`${length} upcoming entries match right now.`, 'agenda?q=standby&show=signup'],
  ])
  await service.clock.advance(60_000)
})

test('follows options in the URL rather than the saved ones', async () => {
  await save(link, [...rentalsOnly, ['calendar.alarm', '60']])
  expect(await resourcesAt(`${link}my.ics?show=calendar`)).toEqual(['calendar'])
  const { body } = await ask(`${link}my.ics?alarm=15`)
  expect(body.toString()).toContain('TRIGGER:-PT15M')
  expect(body.toString()).not.toContain('TRIGGER:-PT60M')
  expect(await resourcesAt(`${link}my.ics?alarm=15`)).toEqual(['rental'])
  expect(await resourcesAt(`${link}all.ics`)).toEqual(['calendar', 'events', 'rental'])
})

test.for([
  ['another origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
] as const)('rejects a form from %s', async ([, headers]) => {
  await save(link, rentalsOnly)
  const { status, text } = await save(link, [['calendar.feed', 'events']], headers)
  expect(status).toBe(403)
  expect(text).toContain('This form was submitted from a page at another address.')
  expect(await resourcesAt(`${link}my.ics`)).toEqual(['rental'])
})

test('has no form on the public page', async () => {
  expect((await ask(`${service.url}/feeds`)).body.toString()).not.toContain('id="my"')
})

test('limits how often a client can save', async () => {
  const statuses: number[] = []
  for (let time = 0; time < 12; time += 1) statuses.push((await save(link, rentalsOnly)).status)
  expect(statuses).toContain(429)
  await service.clock.advance(60_000)
  expect((await save(link, rentalsOnly)).status).toBe(303)
})

const textAt = async (url: string) => (await ask(url)).body.toString()

test('says on a member’s link page that the calendar has personal entries', async () => {
  expect(await textAt(`${await service.addLink({ memberId: 5 })}feeds`)).toContain(
    'This link is for one person',
  )
  expect(await textAt(`${link}feeds`)).not.toContain('for one person')
  const onlyNews = await service.addLink({ memberId: 5, feedIds: ['news'] })
  expect(await textAt(`${onlyNews}feeds`)).not.toContain('for one person')
})
