import { expect, test } from 'vitest'
import { dutyHtml, pageHtml } from '../../src/signage/board-html.ts'
import { rowFormOf, rowHeight, timeText } from '../../src/signage/board-rows.ts'
import { boardMessages } from '../../src/signage/messages.ts'
import { item } from '../support/board-items.ts'
import { estimatedFit, layoutFor } from './board-layout.ts'

const language = { lang: 'en-US', words: boardMessages('en-US') }

/** Returns the HTML of all panels’ pages. */
const htmlOf = (...items: Parameters<typeof layoutFor>[0]) =>
  layoutFor(items)
    .panels.flatMap(({ pages }) => pages)
    .map((page) => pageHtml(page, language))
    .join('\n')
    .replace(/\u202f/g, ' ')

const rowsFor = (items: Parameters<typeof layoutFor>[0]) =>
  layoutFor(items).panels.flatMap(({ pages }) =>
    pages.flatMap((page) => ('columns' in page ? page.columns.flat() : [])),
  )

test('shows times, places, open sign-ups, rooms and changes', () => {
  const html = htmlOf(
    item({ location: 'Station 1, 12 Mill Road, Cedar Hollow', changedAt: '2026-03-05T09:00:00' }),
    item({ title: 'Truck check', startAt: '2026-03-05T11:00:00-05:00', color: '#4169e1' }),
    item({ role: 'volunteers', title: 'Pancakes', open: 3, places: 8, start: '2026-03-08' }),
    item({ role: 'bookings', title: 'Reserved', room: 'Social Hall' }),
  )
  expect(html).toContain('<h2>Today</h2>')
  expect(html).toContain('<span>7 – 9 PM</span>')
  expect(html).toContain(
    '<span class="changed" dir="auto">Changed</span> · <span dir="auto">Station 1</span>',
  )
  expect(html).toMatch(/data-color="#4169e1">.*<span class="soon" dir="auto">in 1 h<\/span>/)
  expect(html).toMatch(
    /Sun, Mar 8.*Pancakes.*<span class="open" dir="auto">3 of 8 places open<\/span>/,
  )
  expect(html).toMatch(/<h2>Rooms in use today<\/h2>.*Reserved.*Social Hall/)
})

test.for([
  ['6:30 PM', '– 7:30 PM', '6:30 – 7:30 PM'],
  ['11 AM', '– 1 PM', '11 AM – 1 PM'],
  ['18:30', '– 19:30', '18:30 – 19:30'],
  ['6:30 p. m.', '– 7:30 p. m.', '6:30 – 7:30 p. m.'],
  ['', 'until 6 AM', 'until 6 AM'],
  ['10 AM', 'until 6 AM', '10 AM until 6 AM'],
  ['7 PM', '', '7 PM'],
] as const)('writes the start %j and the end %j in one line as %j', ([from, until, text]) => {
  const [row] = rowsFor([item({})])
  expect(row && timeText({ ...row, from, until })).toBe(text)
})

test.for([
  { start: '2026-03-05', isQuiet: false },
  { start: '2026-03-06', isQuiet: false },
  { start: '2026-03-07', isQuiet: true },
])('says that there is nothing today if the next entry is on $start: $isQuiet', (each) => {
  const html = htmlOf(item({ start: each.start, end: null, allDay: true }))
  expect(html.includes('Nothing today')).toBe(each.isQuiet)
})

test('gives all-day entries the space of times', () => {
  const allDay = { start: '2026-03-05', end: '2026-03-06', allDay: true }
  const html = htmlOf(item({}), item({ title: 'Duty weekend', ...allDay }))
  expect(html).toContain('<li class="row" data-id="events-1"><span class="time">')
  expect(html).toMatch(
    /<li class="row untimed"[^>]*><span class="what"><strong dir="auto">Duty weekend/,
  )
  const longTitle = { title: 'Joint drill of all departments' }
  const [timed, untimed] = [{}, allDay].map((times) => {
    const rows = rowsFor([item({ ...longTitle, ...times }), item({})])
    const row = rows.find(({ title }) => title === longTitle.title)
    return row && rowHeight(row, rowFormOf(rows, 20, estimatedFit), estimatedFit)
  })
  expect(untimed).toBeLessThan(timed ?? 0)
})

test('marks an entry as changed for a day', () => {
  const changed = '<span class="changed"'
  expect(htmlOf(item({ changedAt: '2026-03-04T10:00:01' }))).toContain(changed)
  expect(htmlOf(item({ changedAt: '2026-03-04T09:59:59' }))).not.toContain(changed)
})

test('lets right-to-left texts run to the left, where their ellipsis is', () => {
  const title = 'يوم مفتوح في محطة الإطفاء…'
  const html = htmlOf(
    item({ title, location: title }),
    item({ role: 'announcement', title, text: title, end: null }),
    item({ role: 'story', title, text: title, category: title, end: null }),
  )
  const parents = [...html.matchAll(new RegExp(`<([^>]*)>${title}`, 'g'))].map(([, tag]) => tag)
  expect(parents).toHaveLength(6)
  for (const tag of parents) expect(tag).toContain('dir="auto"')
})

test('escapes text', () => {
  const html = htmlOf(
    item({ role: 'story', title: '<img onerror="x">', text: "a'b&c", end: null }),
    item({ id: '"><script>', color: '"><script>', location: '<b>' }),
  )
  expect(html).not.toMatch(/<(?:img|script|b)\b/)
  expect(html).toContain('a&#39;b&#38;c')
  const { duty } = layoutFor([item({ role: 'duty', start: '2026-03-05T06:00:00', title: '<b>' })])
  expect(duty && dutyHtml(duty, language)).toMatch(/<strong dir="auto">&#60;b&#62;<\/strong>/)
})

test('shows a message if nothing is planned', () => {
  expect(pageHtml(undefined, language)).toBe('<p class="nothing">Nothing is planned</p>')
})
