import { expect, test } from 'vitest'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { sampleEvent } from '../../support/sample-event.ts'
import { sharedPages } from '../../support/shared-service.ts'
import { startTestService } from '../../support/service.ts'

const sample = sampleDatasetOn('2026-03-05')
const titled = (id: number, title: string, start: string, end = start, change = {}) =>
  sampleEvent(id, start, end, { title, ...change })
const dataset = {
  ...sample,
  events: [
    titled(7, 'Fish fry', '2026-03-06T17:00:00', '2026-03-06T20:00:00'),
    titled(8, 'Night watch', '2026-03-06T22:00:00', '2026-03-07T06:00:00'),
    titled(9, 'Burn permit', '2026-01-01', '2026-04-30'),
    titled(10, 'Carnival', '2026-07-03', '2026-07-05'),
    titled(11, 'Planned party', '2026-03-06', '2026-03-06', { status: 1 }),
    ...Array.from({ length: 10 }, (_, index) =>
      titled(20 + index, `Booth ${index}`, '2026-09-12T17:00:00', '2026-09-12T20:00:00'),
    ),
  ],
}

const { service, get } = sharedPages(dataset, { publicFeedIds: ['events', 'news'] })

test('shows the first entries of a very full day, and the rest on request', async () => {
  const { text } = await get('month/2026-09')
  const [, first = '', rest = ''] = text.split(
    /<time datetime="2026-09-12">|<details class="screen">/,
  )
  expect(first.match(/Booth \d/g)).toHaveLength(8)
  expect(rest).toMatch(/^<summary>2 more<\/summary>/)
  expect(rest.match(/Booth \d/g)).toHaveLength(2)
})

const titlesIn = (text: string) =>
  [...text.matchAll(/<strong[^>]*>([^<]+)<\/strong>/g)].map(([, title]) => title)

test('lists entries that begin soon before entries that began months ago', async () => {
  const { status, text } = await get('agenda')
  expect(status).toBe(200)
  expect(titlesIn(text)).toEqual(['Fish fry', 'Night watch', 'Burn permit'])
  expect(text).toContain('until Apr 30')
  // Tiles under a month's name have its days.
  expect(text.match(/<i>\w+<\/i><b>\d+<\/b>/g)).toEqual([
    '<i>Fri</i><b>6</b>',
    '<i>Fri</i><b>6</b>',
    '<i>Thu</i><b>5</b>',
  ])
  expect(text).toContain('Mar 5 – May 3')
  expect(text).toMatch(/rel="next" href="agenda\?from=2026-05-04"/)
})

test('does not repeat the day that a tile has', async () => {
  const { text } = await get('agenda?from=2026-09-01')
  expect(text).toMatch(
    /<b>12<\/b><\/span><span><strong dir="auto">Booth 0<\/strong><small>5 – 8 PM/,
  )
})

test('starts on any day, and goes back to today', async () => {
  const { text } = await get('agenda?from=2026-07-01')
  expect(titlesIn(text)).toEqual(['Carnival'])
  expect(text).toContain('data-today href="agenda"')
  expect(text).toContain('href="month/2026-07"')
  expect((await get('agenda?from=2027-01-01')).text).toContain('Nothing planned for these days.')
})

test('shows a month with each day, and the night on the evening when it begins', async () => {
  const { text } = await get('month/2026-03')
  expect(text.match(/<time datetime="2026-03-\d\d">/g)).toHaveLength(31)
  expect(text).toMatch(/aria-current="date">\s*<p class="date"><time datetime="2026-03-05">/)
  expect(text.match(/Night watch/g)).toHaveLength(1)
  expect(text).toMatch(/Also running[^]*<i>Sun<\/i><b>1<\/b>[^]*Burn permit/)
  const july = (await get('month/2026-07')).text
  expect(july.match(/>\s*Carnival</g)).toHaveLength(3)
  expect(july).toMatch(/rel="prev" href="2026-06"[^]*rel="next" href="2026-08"/)
})

test('goes from /month to this month', async () => {
  expect((await get('month?show=events')).url).toBe(`${service().url}/month/2026-03?show=events`)
})

test.for([
  ['month/2026-13', 'A month is a year and a number'],
  ['month/march', 'A month is a year and a number'],
  ['month/2136-05', 'There are pages for the months from 2016-03 to 2036-03.'],
  ['agenda?from=2026-02-30', 'from must be a date, like from=2026-03-05.'],
  ['agenda?from=1950-01-01', 'from must be a date within ten years.'],
  ['agenda?show=rental', 'show must be'],
] as const)('answers %s with a sentence', async ([path, sentence]) => {
  const { status, text } = await get(path)
  expect(status).toBe(400)
  expect(text).toContain(sentence)
})

test('shows only public calendars, and all of them below a link', async () => {
  const { text } = await get('month/2026-03')
  expect(text).not.toMatch(/data-source="(?:calendar\d?|rental|signup)"/)
  expect(text).not.toContain('Planned party')
  const link = await service().addLink({})
  const full = await get('month/2026-03', link)
  expect(full.text).toMatch(/data-source="calendar\d?"/)
  expect(full.text).toContain('class="pill filter" data-source="rental"')
  const rentals = await get('month/2026-03?show=rental', link)
  expect(full.text).toMatch(/data-on="false" href="2026-03\?show=rental[^",]*"/)
  expect(rentals.text).toMatch(/data-source="all" data-on="false" href="2026-03"/)
  expect(rentals.text).not.toMatch(/<li data-source="(?:calendar\d?|events)"/)
})

test('has neither page if no calendar is public', async () => {
  await using part = await startTestService({ publicFeedIds: ['news'] })
  await fetch(`${part.url}/news.rss`)
  expect((await get('agenda', `${part.url}/`)).status).toBe(404)
  expect((await get('month/2026-03', `${part.url}/`)).status).toBe(404)
})

test('splits very many entries into pages, and links days of a month to them', async () => {
  const events = Array.from({ length: 401 }, (_, index) =>
    titled(100 + index, `Booth ${index}`, '2026-03-06T17:00:00'),
  )
  const permits = Array.from({ length: 101 }, (_, index) =>
    titled(1_000 + index, `Permit ${index}`, '2026-01-01', '2026-04-30'),
  )
  await using service = await startTestService({
    sandbox: { datasetOn: () => ({ ...dataset, events: [...events, ...permits] }) },
    publicFeedIds: ['events'],
  })
  const titles: (string | undefined)[] = []
  for (let path = 'agenda'; path !== '';) {
    const { text } = await service.get(path)
    expect(titlesIn(text).length).toBeLessThanOrEqual(200)
    titles.push(...titlesIn(text))
    path = /href="([^"]+)"[^>]*>\d+ more ›/.exec(text)?.[1] ?? ''
  }
  expect(new Set(titles).size).toBe(502)
  expect(titles).toHaveLength(502)
  const { text: last } = await service.get('agenda?page=500')
  expect(titlesIn(last)).toHaveLength(102)
  expect(last).toContain('href="agenda?page=2"')

  const { text: month } = await service.get('month/2026-03')
  expect(month.match(/Booth \d+/g)).toHaveLength(8)
  expect(month).toMatch(/href="\.\.\/agenda\?from=2026-03-06"[^>]*>393 more</)
  expect(month.match(/Permit \d+/g)).toHaveLength(100)
  expect(month).toMatch(/href="\.\.\/agenda\?from=2026-03-01"[^>]*>1 more</)
})

test('colors each calendar the same on all pages', async () => {
  const link = await service().addLink({ feedIds: ['calendar'], profile: 'full' })
  const colorsOf = async (path: string) => {
    const { text } = await get(path, link)
    const chip = /data-source="(\w+)"[^>]*>(?:<input[^>]*>)?<span[^>]*>Duty Crews</.exec(text)?.[1]
    const [, entry] = /<li data-source="(\w+)"(?:(?!<\/li>).)*Duty weekend/.exec(text) ?? []
    return { chip, entry }
  }
  const cards = 'embed/next?limit=30&layout=cards'
  const embeds = ['embed/calendar', 'embed/month', cards]
  const paths = ['', 'agenda', 'month/2026-03', 'search?q=crews', ...embeds]
  for (const path of paths) {
    const { chip, entry } = await colorsOf(path)
    expect([path, entry]).toEqual([path, 'calendar3'])
    expect(['calendar3', undefined]).toContain(chip)
  }
  const { text: list } = await get('agenda', link)
  const [, page = ''] = /href="(calendar\/\d+)"(?:(?!<\/li>).)*Duty weekend/.exec(list) ?? []
  const { text } = await get(page, link)
  expect(text).toContain('<article class="event" data-source="calendar3">')
  expect(text.split('<h2 id="next"')[1]).toMatch(/<li data-source="calendar\d?">/)
})

test('fills the last week of a month, and opens it on today on phones', async () => {
  const { text } = await get('month/2026-03')
  const classes = new Map(
    [...text.matchAll(/<td id="d([\d-]+)" class="(\w*)[^"]*"/g)].map(([, day = '', name]) => [
      day,
      name,
    ]),
  )
  expect(classes.get('2026-03-04')).toBe('past')
  expect(classes.get('2026-03-06')).toBe('')
  expect([...classes.keys()].slice(-5)).toEqual([
    '2026-03-31',
    '2026-04-01',
    '2026-04-02',
    '2026-04-03',
    '2026-04-04',
  ])
  expect(classes.get('2026-04-04')).toBe('next')
  expect(text).toMatch(/<a href="#d2026-03-\d\d"[^>]*><b>\d+<\/b><i data-source="events"><\/i>/)
  expect(text).toContain('<span class="unseen"> (today)</span>')
  expect(text).toContain('<a class="pill main" href="../">Follow these calendars</a>')
  // An earlier month is complete, and a search counts only its own entries.
  expect((await get('month/2026-02')).text).not.toContain('class="past')
  expect((await get('month/2026-02?q=fish')).text).not.toMatch(/[1-9]\d* entr/)
})
