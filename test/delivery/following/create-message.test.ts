import { expect, test } from 'vitest'
import { findFollowedItems } from '../../../src/delivery/following/followed-changes.ts'
import { daysAfter, instantFromSiteTime } from '../../../src/records/site-time.ts'
import { sampleFollower } from '../../followers/follower.ts'
import { testSite } from '../../support/site.ts'
import {
  dinner,
  drill,
  emergencyOn,
  event,
  fire,
  flood,
  follower,
  linesOf,
  linkWith,
  messageSite,
  morning,
  parade,
  urls,
} from './message-site.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const lateParade = { ...parade, id: 3, title: 'Late parade', startTime: '08:00:00' }
const breakfast = { ...event, id: 4, title: 'Breakfast', startDate: '2026-03-05' }
const early = { ...breakfast, id: 5, title: 'Early', startTime: '06:00:00', endTime: '07:30:00' }
const later = { ...event, id: 6, title: 'Later', startDate: '2026-03-13' }

test('lists the entries of the coming week, and what is new since the last message', async () => {
  const all = [dinner, parade, lateParade, breakfast, early, later]
  const old = { ...fire, id: 9, headline: 'Old', date: '2026-02-20 10:00:00' }
  const { send } = await messageSite({
    events: [all, [{ ...dinner, location: 'Hall' }, ...all.slice(1)]],
    news: [[fire, old]],
  })
  const message = await send(follower, 'weekly')
  expect(message).toMatchObject({
    id: expect.stringMatching(/^weekly-[\da-f]{32}-1772715600000$/),
    kind: 'weekly',
    language: 'en-US',
    title: 'This week: Breakfast Thursday',
    summary: 'Breakfast, Dinner <A> & B, Parade, Fire',
    url: 'https://feeds.cedarhollow.example/',
  })
  expect(linesOf(message?.html)).toEqual([
    'Coming up',
    'Thursday, March 5, 2026',
    '7 – 9 PM Breakfast, Station 1',
    'Friday, March 6, 2026',
    '7 – 9 PM Dinner &lt;A&gt; &amp; B, Hall',
    'Thursday, March 12, 2026',
    '7:59 AM – 9 PM Parade, Station 1',
    'Changes',
    'New place: Dinner &lt;A&gt; &amp; B, Fri, Mar 6, 7 PM, now Hall (was Station 1)',
    'News',
    'Fire',
    'Out.',
    'Whole calendar',
  ])
  expect(message?.html).toContain('href="https://feeds.cedarhollow.example/events/1"')
  const next = { ...follower, sent: { weekly: morning } }
  expect(linesOf((await send(next, 'weekly', morning + 1))?.html)).not.toContain('News')
})

test.for([
  ['2026-03-08', 'America/New_York'],
  ['2026-11-01', 'America/New_York'],
  ['2026-10-25', 'Europe/Berlin'],
] as const)(
  'lists each entry in one weekly message when the clocks change on %s in %s',
  async ([day, timeZone]) => {
    // A list has at most 100 entries.
    const entries = Array.from({ length: 15 * 12 }, (_, index) => {
      const startDate = daysAfter(day, Math.floor(index / 12))
      const hour = String((index % 12) * 2).padStart(2, '0')
      const times = { startTime: `${hour}:30:00`, endTime: `${hour}:45:00` }
      return { ...event, id: index + 1, title: 'E', startDate, ...times }
    })
    const told: number[] = []
    for (const week of [0, 1]) {
      const now = instantFromSiteTime(`${daysAfter(day, week * 7)}T03:00:00`, timeZone)
      const site = { ...testSite, timeZone }
      const start = now - 30 * dayMs
      const { send } = await messageSite({ events: [entries] }, { site, now, start })
      const { html = '' } = (await send(follower, 'weekly')) ?? {}
      told.push(...[...html.matchAll(/\/events\/(\d+)"/g)].map(([, id]) => Number(id)))
    }
    // The first two start before 3 AM, and so do those in the last list.
    expect(told).toEqual(entries.slice(2, 14 * 12 + 2).map(({ id }) => id))
  },
)

test('has a tile for each day, links to add public entries, and a button', async () => {
  const lunch = { ...dinner, id: 20, title: 'Lunch', startTime: '12:00:00', endTime: '' }
  const canceled = { ...dinner, id: 21, title: 'Off', startTime: '13:00:00' }
  const { send } = await messageSite(
    {
      events: [
        [lunch, dinner, canceled],
        [lunch, dinner],
      ],
      calendar: [[drill]],
      rental: [
        [{ id: 9, status: 2, typeId: 1, type: 'Hall', startDate: '2026-03-08', endDate: '' }],
      ],
    },
    { link: linkWith({ feedIds: ['events', 'calendar', 'rental'] }) },
  )
  const { mail = '' } =
    (await send({ ...follower, linkId: 'link', language: 'de' }, 'weekly')) ?? {}
  expect([...mail.matchAll(/>(Fr)<br><b [^>]*>6<\/b>/g)]).toHaveLength(1)
  expect([...mail.matchAll(/<tr><td width="60"/g)]).toHaveLength(5)
  expect([...mail.matchAll(/solid (#\w+)">/g)].map(([, color]) => color)).toEqual([
    '#2e8b57',
    '#2e8b57',
    '#4a72e8',
    '#2e8b57',
    '#d2691e',
  ])
  const added = [...mail.matchAll(/href="([^"]*\.ics[^"]*)">([^<]*)</g)]
  expect(added.map(([, url, text]) => [url, text])).toEqual([
    ['https://feeds.cedarhollow.example/events/20.ics?lang=de', 'In den Kalender'],
    ['https://feeds.cedarhollow.example/events/1.ics?lang=de', 'In den Kalender'],
  ])
  expect(mail).toMatch(
    /<td bgcolor="#[\da-f]{6}"[^>]*><a href="[^"]*\/agenda\?lang=de"[^>]*>Ganzer Kalender<\/a><\/td>/,
  )
})

test('names the next entry in an empty week', async () => {
  const { send } = await messageSite({ events: [[later, early]], news: [[]] })
  const message = await send(follower, 'weekly')
  expect(message?.title).toBe('Next: Later, March 13, 2026')
  expect(linesOf(message?.html)).toEqual([
    'Nothing is planned for the next seven days.',
    'Coming up',
    'Friday, March 13, 2026',
    '7 – 9 PM Later, Station 1',
    'Whole calendar',
  ])
  expect(message?.mail).toMatch(/^<p>Nothing is planned[^]*>Fri<br><b [^>]*>13</)
})

test('sends nothing if nothing is planned soon, and there are no changes and no news', async () => {
  const distant = { ...later, startDate: '2026-04-13' }
  const { send } = await messageSite({ events: [[distant, early]], news: [[]] })
  expect(await send(follower, 'weekly')).toBeUndefined()
})

const choosing = (feedIds: readonly string[]) => ({
  ...follower,
  choice: { ...follower.choice, feedIds },
})

test('includes only the chosen feeds', async () => {
  const { send } = await messageSite({ events: [[dinner]], news: [[fire]] })
  expect(linesOf((await send(choosing(['news']), 'weekly'))?.html)).toEqual([
    'News',
    'Fire',
    'Out.',
    'Whole calendar',
  ])
  expect(await send(choosing(['calendar']), 'weekly')).toBeUndefined()
})

test('lists the entries that start the next day', async () => {
  const festival = {
    ...dinner,
    id: 10,
    title: 'Festival',
    startDate: '2026-02-01',
    endDate: '2026-04-01',
  }
  const { send } = await messageSite(
    { events: [[dinner, parade, festival, { ...dinner, id: 11, title: 'Bingo', startTime: '' }]] },
    { now: morning + 10 * hourMs },
  )
  const message = await send(follower, 'tomorrow')
  expect(message?.title).toBe('Tomorrow: Bingo, Dinner <A> & B (7 PM)')
  expect(linesOf(message?.html)).toEqual([
    'Coming up',
    'Friday, March 6, 2026',
    'All day Bingo, Station 1',
    '7 – 9 PM Dinner &lt;A&gt; &amp; B, Station 1',
  ])
  expect(await send(follower, 'tomorrow', morning - dayMs)).toBeUndefined()
  expect(await send(follower, 'tomorrow', morning + 3 * dayMs)).toBeUndefined()
})

const you = { id: 5, firstName: 'Pat', lastName: 'Doe', memberStatus: 'Active' }
const sheet = {
  id: 20,
  title: 'Chicken BBQ',
  status: 2,
  date: '2026-03-06',
  eventDate: '11 AM - 2 PM',
  details: {
    sheet: {},
    groups: [
      { name: 'Pat Doe', id: 1 },
      { name: 'zqotherzq', id: 2 },
    ].map(({ name, id }) => ({
      id,
      name: 'Crew',
      slots: [
        { id, position: id === 1 ? 'Driver' : 'Cook', signedUp: [{ name, note: 'zqnotezq' }] },
      ],
    })),
  },
}

test("lists a member's own entries, and never those of other members", async () => {
  const { send } = await messageSite(
    { members: [[you]], signup: [[sheet]], calendar: [[drill]] },
    { link: linkWith({ memberId: 5, feedIds: ['calendar'] }), now: morning + 10 * hourMs },
  )
  const member = { ...follower, linkId: 'link' }
  const message = await send(member, 'tomorrow')
  expect(message?.title).toBe('You have Chicken BBQ tomorrow at 11 AM')
  expect(linesOf(message?.html)).toEqual([
    'Coming up',
    'Friday, March 6, 2026',
    '11 AM – 2 PM You: Driver, Chicken BBQ',
    '7 – 9 PM Drill, Station 1',
  ])
  const weekly = await send(member, 'weekly')
  expect(linesOf(weekly?.html)).toContain('11 AM – 2 PM You: Driver, Chicken BBQ')
  for (const each of [message, weekly]) {
    expect(JSON.stringify(each)).not.toMatch(/zqotherzq|zqnotezq|zqlabelzq|Pat|\/l\/|\/calendar\/8/)
  }
})

test('asks to confirm a request in its language, and lists the requested choice', async () => {
  const { send } = await messageSite({})
  const requested = {
    choice: {
      ...follower.choice,
      weekly: { day: 7, hour: 8 },
      emergency: false,
      feedIds: ['events', 'news'],
    },
    language: 'es',
    at: morning,
  }
  const english = { ...requested, language: 'en' }
  const message = await send({ ...follower, requested: english }, 'confirm')
  expect(message).toMatchObject({
    title: 'Please confirm: email from Cedar Hollow; Fire, Rescue & EMS',
    url: urls.confirm,
  })
  expect(linesOf(message?.html).slice(1, -2)).toEqual([
    'An email every Sunday at 8 AM',
    'An email when something changes or there is news',
    'An email the evening before each entry',
    'Only these: Public events, News',
  ])
  expect(message?.html).toContain(`href="${urls.confirm}"`)
  const spanish = await send({ ...follower, requested }, 'confirm')
  expect(spanish?.language).toBe('es-US')
  expect(linesOf(spanish?.html)[1]).toBe('Un correo semanal, cada domingo (8 a.m.)')
})

test('keeps the spaces of French, and puts titles on one line', async () => {
  const { send } = await messageSite({ events: [[{ ...dinner, title: 'A\nB\u2028C' }]] })
  const french = { ...follower, language: 'fr' }
  expect((await send(french, 'confirm'))?.title).toContain('confirmer\u202f:')
  expect((await send(french, 'tomorrow'))?.title).toBe('Demain\u202f: A B C (19 h)')
})

test('asks after a year whether a follower still wants the emails', async () => {
  const { send } = await messageSite({})
  const message = await send(follower, 'renewal')
  expect(message?.title).toBe('Do you still want email from Cedar Hollow; Fire, Rescue & EMS?')
  expect(message?.html).toContain(`href="${urls.confirm}"`)
})

test('welcomes a device, even while its link is paused, without the address of the link', async () => {
  const { send } = await messageSite({}, { link: linkWith({ pausedAt: 1 }) })
  const device = sampleFollower({ means: 'push', linkId: 'link' })
  expect(await send(device, 'welcome')).toMatchObject({
    kind: 'welcome',
    title: 'Notifications are on',
    summary: expect.stringContaining('from Cedar Hollow; Fire, Rescue & EMS on this device'),
    url: 'https://feeds.cedarhollow.example/',
  })
})

test.for(['es', 'fr', 'de'])(
  'writes every message in the language of the follower: %s',
  async (language) => {
    const current = flood
    const { options, send } = await messageSite(
      { events: [[dinner], [{ ...dinner, location: 'Hall' }]], news: [[fire]] },
      { emergency: emergencyOn('devices', current) },
    )
    const { items } = await findFollowedItems(options)
    const found = items.map(({ make }) => ({ item: make(), at: morning }))
    const reader = {
      ...follower,
      language,
      choice: { ...follower.choice, weekly: { day: 1, hour: 7 } },
    }
    for (const kind of [
      'confirm',
      'welcome',
      'renewal',
      'weekly',
      'changes',
      'tomorrow',
      'emergency',
    ] as const) {
      const [english, message] = [
        await send({ ...reader, language: 'en' }, kind, morning, found),
        await send(reader, kind, morning, found),
      ]
      expect(message?.language).toMatch(new RegExp(`^${language}-`))
      const same = linesOf(english?.html).filter((line) => linesOf(message?.html).includes(line))
      expect(same.filter((line) => !/^(?:Fire|Out\.)$/.test(line))).toEqual([])
      expect(english?.title === message?.title).toBe(kind === 'emergency')
      expect(message?.url).toMatch(new RegExp(`lang=${language}$|/confirm/`))
    }
  },
)

test('uses the same id for every attempt, and a different id for each message', async () => {
  const { send } = await messageSite({ events: [[dinner]] })
  const other = { ...testSite, idHost: 'other.example' }
  const otherSite = await messageSite({ events: [[dinner]] }, { site: other })
  const ids = await Promise.all([
    send(follower, 'weekly'),
    send(follower, 'weekly'),
    // A person has the same id on every site with this secret.
    otherSite.send(follower, 'weekly'),
    send({ ...follower, id: 'b' }, 'weekly'),
    send(follower, 'weekly', morning + 1),
    send(follower, 'renewal'),
  ])
  const [first, same, ...others] = ids.map((message) => message?.id)
  expect(same).toBe(first)
  expect(new Set([first, ...others]).size).toBe(5)
  expect(first).toMatch(/^[a-z\d-]+$/)
})
