import { expect, test } from 'vitest'
import type { ListedEntry } from '../../src/feeds/feed.ts'
import { monthGrid } from '../../src/web/month-grid.ts'

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}`

/** Returns an all-day entry of March 2026, or one that ends in the morning after its last day. */
function entry(title: string, first: number, last = first, isNight = false): ListedEntry {
  const [start, end] = isNight
    ? [`${day(first)}T22:00:00`, `${day(last + 1)}T06:00:00`]
    : [day(first), day(last + 1)]
  return {
    kind: 'calendar',
    source: 'calendar',
    color: '',
    recordId: first,
    title,
    start,
    allDay: !isNight,
    time: { start, end, allDay: !isNight },
    location: '',
    category: '',
    places: undefined,
    own: undefined,
  }
}

/**
 * Returns the content of each day of a week: bars with their length, `…` where one continues, and
 * entries.
 */
function weekOf(entries: readonly ListedEntry[], index = 1) {
  return monthGrid(entries, '2026-03', { language: 'en-US' }).weeks[index]?.map((cell) => {
    const bars = (cell?.bars ?? []).map((bar) =>
      bar ? (bar.days === 0 ? '…' : `${bar.entry.title} ${bar.days}`) : '',
    )
    return [...bars, '|', ...(cell?.entries ?? []).map(({ entry }) => entry.title)].join(' ').trim()
  })
}

test('draws an entry on several days as a bar, in the same place on each day', () => {
  // The week starts on Sunday, March 8.
  const entries = [
    entry('Camp', 9, 11),
    entry('Duty', 10, 12),
    entry('Drill', 10),
    entry('Fair', 12, 13),
  ]
  expect(weekOf(entries)).toEqual([
    '|',
    'Camp 3 |',
    '… Duty 3 | Drill',
    '… … |',
    'Fair 2 … |',
    '… |',
    '|',
  ])
})

test('leaves a gap above a bar that continues after another one has ended', () => {
  const entries = [entry('Camp', 8, 9), entry('Duty', 9, 10)]
  expect(weekOf(entries)?.slice(0, 3)).toEqual(['Camp 2 |', '… Duty 2 |', ' … |'.trim()])
})

test('continues a bar in the next week, and draws no bar for a single day of a week', () => {
  const entries = [entry('Camp', 12, 16), entry('Weekend', 14, 15), entry('Night', 12, 12, true)]
  expect(weekOf(entries)?.slice(4)).toEqual(['Camp 3 | Night', '… |', '… | Weekend'])
  expect(weekOf(entries, 2)?.slice(0, 3)).toEqual(['Camp 2 | Weekend', '… |', '|'])
})

test('has at most four bars one above the other', () => {
  const entries = ['A', 'B', 'C', 'D', 'E'].map((title) => entry(title, 9, 10))
  expect(weekOf(entries)?.slice(1, 3)).toEqual(['A 2 B 2 C 2 D 2 | E', '… … … … | E'])
})

test.for([
  ['en-US', 'Sunday', 0],
  ['de', 'Montag', 6],
] as const)('weeks in %s start on %s', ([language, weekday, blanks]) => {
  const { weekdays, weeks } = monthGrid([], '2026-03', { language })
  expect(weekdays[0]?.name).toBe(weekday)
  expect(weeks[0]?.filter((cell) => cell === undefined)).toHaveLength(blanks)
})

/** Returns the entries of a day as they are printed, with the number of lines of each. */
function printedOn(number: number, entries: readonly ListedEntry[]) {
  const { weeks } = monthGrid(entries, '2026-03', { language: 'en-US' })
  const cell = weeks.flat().find((cell) => cell?.day === day(number))
  const lines = cell?.entries.map(({ entry, start, lines }) =>
    lines === 1 ? `1 ${entry.title.slice(start.length)}` : `${lines} ${entry.title}`,
  )
  return { lines, unprinted: cell?.unprinted }
}

const long = 'A title that needs several lines on paper'

test.each([
  [1, '3'],
  [4, '2222'],
  [6, '221111'],
])('prints more lines for each of %i long entries while there is room', (count, expected) => {
  const entries = Array.from({ length: count }, () => entry(long, 10))
  const { lines } = printedOn(10, entries)
  expect(lines?.map((line) => line[0]).join('')).toBe(expected)
})

test('prints the longest entries on more lines first', () => {
  const titles = ['A title on two lines', 'B', long, 'C', 'D', 'E', 'F']
  const { lines } = printedOn(
    10,
    titles.map((title) => entry(title, 10)),
  )
  expect(lines?.map((line) => line[0]).join('')).toBe('1121111')
})

test('prints more lines beside a bar', () => {
  const entries = Array.from({ length: 4 }, () => entry(long, 10))
  const { lines } = printedOn(10, [entry('Camp', 9, 11), ...entries])
  expect(lines?.map((line) => line[0]).join('')).toBe('2221')
})

test('prints as many entries as fit, and says how many are missing', () => {
  const entries = Array.from({ length: 9 }, (_, at) => entry(`Entry ${at}`, 10))
  const { lines, unprinted } = printedOn(10, entries)
  expect(lines?.map((line) => line[0]).join('')).toBe('111111100')
  expect(unprinted).toBe(2)
})

test('prints the part of titles that differs where there is one line', () => {
  const crews = ['A', 'B'].map((crew, at) => entry(`Duty weekend: Crew ${crew}`, 10 + at))
  const others = ['Drill: Ladders', long, long, long, long, long, long].map((title) =>
    entry(title, 10),
  )
  const { lines } = printedOn(10, [...crews, ...others])
  expect(lines?.slice(0, 2)).toEqual(['1 Crew A', '1 Drill: Ladders'])
})
