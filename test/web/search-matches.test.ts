import { afterAll, expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import { newLists } from '../../src/web/context.ts'
import { placesFor } from '../../src/web/search-matches.ts'
import { sampleDatasetOn } from '../../src/sandbox/sample/sample-dataset.ts'
import { contextWith } from '../support/context.ts'
import { startTestService } from '../support/service.ts'
import { testSite } from '../support/site.ts'

const service = await startTestService()
afterAll(() => service[Symbol.asyncDispose]())
await service.readAll()

async function resultAt(path: string, base = `${service.url}/`) {
  const response = await fetch(`${base}${path}`)
  const text = (await response.text()).replaceAll('&amp;', '&')
  const [, open = ''] = /<details class="fold" name="feed" open>([^]*?)<form/.exec(text) ?? []
  const notes = [...open.matchAll(/<p class="note">([^<]+?) ?(?:<a href="([^"]+)"[^]*?)?<\/p>/g)]
  const [, url] = /<input id="[a-z]+-(?:ics|rss)" value="([^"]+)"/.exec(open) ?? []
  return {
    status: response.status,
    matches: notes.map(([, note, link]) => [note, link]),
    url,
    text,
  }
}

const included = (text: string) => `These buttons and addresses include: ${text}.`

test('counts the upcoming entries that match, and links to them', async () => {
  const { matches, url } = await resultAt('feeds?feed=events&q=Pancake&place=Station+1')
  expect(url).toBe(`${service.url}/events.ics?q=pancake&place=station%201`)
  const path = 'agenda?q=pancake&place=station+1&show=events'
  const board = await fetch(`${service.url}/board.json?show=events&q=pancake&place=station+1`)
  const { length } = (await board.json()) as readonly unknown[]
  expect(matches).toEqual([
    [included('only with “Pancake”, only at “Station 1”'), 'feeds#events'],
    [`${length} upcoming entries match right now.`, path],
  ])
  expect(length).toBeGreaterThan(1)
  const agenda = await (await fetch(`${service.url}/${path}`)).text()
  expect(agenda).toContain('Pancake breakfast')
  expect(agenda).not.toContain('Friday fish fry')
})

test.for([
  ['no search', 'feeds?feed=calendar&alarm=60', []],
  ['only a minus', 'feeds?feed=calendar&q=-', []],
  [
    'no entries',
    'feeds?feed=events&q=zebra',
    [['No upcoming entries match right now. As soon as one does, it will appear.', undefined]],
  ],
  [
    'only past entries',
    'feeds?feed=events&q=pancake&past=365&future=0',
    [['No upcoming entries match right now. As soon as one does, it will appear.', undefined]],
  ],
  [
    'more entries than a list has',
    'feeds?feed=calendar&calendar=2&q=-zebra',
    [['At least 30 upcoming entries match right now.', 'agenda?q=-zebra&show=calendar:2']],
  ],
  [
    'stories',
    'feeds?feed=news&q=chimney',
    [[expect.stringMatching(/^\d+ items? match(es)? right now\.$/), 'news?q=chimney']],
  ],
  [
    'selected parts of a feed',
    'feeds?feed=all&show=calendar:2&q=-zebra',
    [[expect.stringMatching(/upcoming entries match/), 'agenda?q=-zebra&show=calendar:2']],
  ],
  [
    'no announcements',
    'feeds?feed=announcements&q=zebra',
    [['No items match right now. As soon as one does, it will appear.', undefined]],
  ],
  [
    'selected calendars together',
    'feeds?feed=all&show=events,signup&q=zebra',
    [['No upcoming entries match right now. As soon as one does, it will appear.', undefined]],
  ],
] as const)('tells about %s', async ([, path, expected]) => {
  const { matches } = await resultAt(path)
  expect(matches.slice(matches.length - expected.length)).toEqual(expected)
  const others = matches.slice(0, matches.length - expected.length)
  expect(others.filter(([text]) => text?.includes('right now'))).toEqual([])
})

test('counts the entries and the items of a combined feed, each once', async () => {
  const { matches } = await resultAt('feeds?feed=all&q=alarm')
  const board = await fetch(`${service.url}/board.json?show=calendar,events,rental,signup&q=alarm`)
  const { length } = (await board.json()) as readonly unknown[]
  expect(matches.slice(1)).toEqual([
    [
      `${length} upcoming entries match right now.`,
      expect.stringMatching(/^agenda\?q=alarm&show=/),
    ],
    [expect.stringMatching(/^[1-9]\d* items match right now\.$/), 'news?q=alarm'],
  ])
  // If only entries match, there is no sentence about news.
  expect((await resultAt('feeds?feed=all&q=pancake')).matches).toHaveLength(2)
})

test('counts an entry once if another feed repeats it', async () => {
  const dataset = sampleDatasetOn('2026-03-05')
  const event = dataset.events.find(({ startDate }) => startDate > '2026-03-06')
  const entry = dataset.calendar.find(({ startDate }) => startDate > '2026-03-06')
  if (!event || !entry) throw new TypeError('no entries')
  const parade = { title: 'Parade', startDate: '2026-04-04', endDate: '2026-04-04', allDay: 1 }
  await using site = await startTestService({
    sandbox: {
      datasetOn: () => ({
        ...dataset,
        events: [{ ...event, ...parade }] as typeof dataset.events,
        calendar: [{ ...entry, ...parade }] as typeof dataset.calendar,
      }),
    },
  })
  await site.readAll()
  const base = `${site.url}/`
  for (const feed of ['events', 'calendar', 'all']) {
    const { matches } = await resultAt(`feeds?feed=${feed}&q=parade`, base)
    expect(matches[1]?.[0]).toBe('1 upcoming entry matches right now.')
  }
})

test('suggests the places of entries that the viewer sees, most frequent first', async () => {
  async function placesAt(base: string) {
    const { text } = await resultAt('feeds', base)
    const [, list = ''] = /<datalist id="places">([^]*?)<\/datalist>/.exec(text) ?? []
    return [...list.matchAll(/<option value="([^"]+)">/g)].map(([, name]) => name)
  }
  const dataset = sampleDatasetOn('2026-03-05')
  const [first, ...others] = dataset.events.filter(({ startDate }) => startDate > '2026-03-06')
  await using site = await startTestService({
    publicFeedIds: ['events'],
    sandbox: {
      datasetOn: () => ({
        ...dataset,
        events: [
          { ...first, location: '12, rue de la Gare' },
          ...others.map((event, index) => ({
            ...event,
            location: index === 0 ? 'Barn (behind the church)' : 'HALL, 14 Mill Road',
          })),
        ] as typeof dataset.events,
        calendar: dataset.calendar.map((entry) => ({ ...entry, location: 'Secret bunker' })),
      }),
    },
  })
  await site.readAll()
  const link = await site.addLink({})
  await fetch(`${link}calendar.ics`)
  const everyone = await placesAt(`${site.url}/`)
  expect(everyone).toEqual(['HALL', '12, rue de la Gare', 'Barn'])
  expect(await placesAt(link)).toContain('Secret bunker')
  const { text } = await resultAt('feeds?feed=events', `${site.url}/`)
  expect(text).toMatch(/name="place" value="" maxlength="100" list="places">/)
})

test('limits how many new searches a client counts', async () => {
  await using site = await startTestService({ publicFeedIds: ['events'] })
  await site.readAll()
  const statuses: number[] = []
  for (let visit = 0; visit <= newLists.burst; visit += 1) {
    const { status } = await resultAt(`feeds?feed=events&q=word${visit}`, `${site.url}/`)
    statuses.push(status)
  }
  expect(statuses.slice(0, -1).every((status) => status === 200)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  const plain = await resultAt('feeds', `${site.url}/`)
  expect(plain.status).toBe(200)
})

const hall = { name: 'Hall', address: '14 Mill Road', latitude: 42, longitude: -75 }

test.for([
  ['public', []],
  ['members', ['Hall']],
] as const)(
  'suggests to %s the places in the settings that they may know: %j',
  ([profile, names]) => {
    const context = contextWith({
      site: { ...testSite, places: [hall, { ...hall, name: 'hall ' }] },
      overviews: { of: () => undefined },
    })
    expect(placesFor({ context, offered: standardCatalog.feeds }, profile)).toEqual(names)
  },
)

test.for([
  ['a link’s page', ['events', 'calendar'], 'members'],
  ['a page with one calendar', ['events'], 'public'],
] as const)(
  'opens the form of the combined feed on %s if another page links to it',
  async ([, feedIds, profile]) => {
    await using site = await startTestService({ publicFeedIds: ['events'] })
    await site.readAll()
    const link = await site.addLink({ feedIds })
    await fetch(`${link}calendar.ics`)
    const base = profile === 'public' ? `${site.url}/` : link
    expect((await resultAt('feeds', base)).text).not.toContain('id="all"')
    const { url, matches } = await resultAt('feeds?feed=all&show=events&q=fish', base)
    expect(url).toBe(`${base}all.ics?show=events&q=fish`)
    expect(matches.at(-1)?.[0]).toMatch(/upcoming entries match/)
    expect((await fetch(url ?? '')).status).toBe(200)
  },
)

test('never counts entries of feeds that the viewer may not read', async () => {
  await using site = await startTestService({ publicFeedIds: ['events'] })
  await site.readAll()
  const everything = await site.addLink({})
  // Feedhouse then has the calendar's entries.
  await fetch(`${everything}calendar.ics`)
  const link = await site.addLink({ feedIds: ['events'] })
  for (const base of [`${site.url}/`, link]) {
    const { text } = await resultAt('feeds?feed=all&show=calendar&q=-zebra', base)
    expect(text).toContain('id="all"')
    expect(text).not.toContain('right now')
  }
})

test('suggests at most 50 places', () => {
  const places = Array.from({ length: 60 }, (_, index) => ({ ...hall, name: `Hall ${index}` }))
  const context = contextWith({ site: { ...testSite, places }, overviews: { of: () => undefined } })
  expect(placesFor({ context, offered: [] }, 'full')).toHaveLength(50)
})
