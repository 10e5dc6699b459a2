import fc from 'fast-check'
import type { BoardItem } from '../../src/signage/board-item.ts'
import { item } from './board-items.ts'

/** The day of all contents. */
export const contentTime = '2026-03-05T15:00:00Z'

const titles = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('Drill', 'Truck check: Engine 1', 'Friday fish fry') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'Monthly business meeting of the board of directors',
      'Hands-only CPR class for beginners, with certificates',
      'Donaudampfschifffahrtsgesellschaftskapitän trifft Freiwillige Feuerwehr',
    ),
  },
  fc.constantFrom(
    'x'.repeat(150),
    'Emergency medical technician refresher '.repeat(5),
    '消防団の訓練'.repeat(12),
    '<b>bold</b> & "quotes"',
    '👩‍🚒'.repeat(20),
    'مهرجان الإطفاء السنوي',
  ),
)

const texts = fc.oneof(
  fc.constant(''),
  fc.constant('Three feet on every side, please.'),
  fc.constant('No open burning in the district until further notice. Fines apply. '.repeat(2)),
  fc.constant('Come to the firehouse with your family and friends. '.repeat(8).slice(0, 399)),
  fc.constant(`Sign up at https://example.org/${'long/'.repeat(20)} or call.\n\nThank you!`),
)

const locations = fc.constantFrom(
  '',
  'Station 1',
  'Social Hall, 14 Mill Road, Cedar Hollow',
  'The large meeting room on the second floor of the former school building',
)

const starts = fc
  .tuple(fc.integer({ min: 5, max: 18 }), fc.integer({ min: 0, max: 47 }))
  .map(([day, half]) => {
    const time = `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`
    return `2026-03-${String(day).padStart(2, '0')}T${time}`
  })

const common = { title: titles, location: locations, color: fc.constantFrom('', '#4169e1') }

const timed = fc
  .record({
    ...common,
    role: fc.constantFrom<BoardItem['role']>('agenda', 'bookings', 'volunteers'),
    start: starts,
    changedAt: fc.constantFrom(null, '2026-03-05T09:00:00-05:00'),
    startAt: fc.constantFrom(null, '2026-03-05T11:10:00-05:00'),
    hours: fc.integer({ min: 0, max: 3 }),
    room: fc.constantFrom('', 'Training Room'),
    places: fc.constantFrom(null, 8),
  })
  .map(({ hours, ...change }) => {
    const end = hours === 0 ? null : `${change.start.slice(0, 10)}T23:59:00`
    return { ...change, end, open: change.places === null ? null : 3 }
  })

const allDay = fc.record({
  ...common,
  role: fc.constantFrom<BoardItem['role']>('agenda', 'duty'),
  start: fc.constantFrom('2026-03-05', '2026-03-06'),
  end: fc.constantFrom('2026-03-07', '2026-03-09'),
  allDay: fc.constant(true),
})

const text = fc
  .record({
    title: titles,
    // Stories without text are rare, and a single word cannot fill a screen.
    text: texts,
    role: fc.constantFrom<BoardItem['role']>('announcement', 'story', 'story'),
    category: fc.constantFrom('', 'Fire Prevention'),
    end: fc.constant(null),
  })
  .filter(({ role, text }) => role === 'announcement' || text !== '')

const contents = fc
  .record({
    timed: fc.array(timed, { maxLength: 24 }),
    allDay: fc.array(allDay, { maxLength: 5 }),
    texts: fc.array(text, { maxLength: 6 }),
    parts: fc.constantFrom('timed', 'texts', 'few', 'all', 'all'),
  })
  .map(({ timed: some, allDay: days, texts: cards, parts }): readonly Partial<BoardItem>[] => {
    if (parts === 'timed') return some
    if (parts === 'texts') return cards
    return parts === 'few'
      ? [...some.slice(0, 2), ...cards.slice(0, 1)]
      : [...days, ...some, ...cards]
  })

/** Returns various board contents, which are always the same. */
export function boardContents(count: number): readonly (readonly BoardItem[])[] {
  return fc
    .sample(contents, { numRuns: count, seed: 24 })
    .map((changes) => changes.map((change, id) => item({ ...change, id: `item-${id}` })))
}
