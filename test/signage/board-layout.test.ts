import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BoardItem } from '../../src/signage/board-item.ts'
import { smallestReadable } from '../../src/signage/board-sizes.ts'
import { item } from '../support/board-items.ts'
import { anyCharacter } from '../support/hostile-text.ts'
import { layoutFor } from './board-layout.ts'

const events = (count: number, title = 'Drill') =>
  Array.from({ length: count }, (_, index) =>
    item({
      id: `events-${index}`,
      title: `${title} ${index}`,
      start: `2026-03-${String(6 + Math.floor(index / 4)).padStart(2, '0')}T19:00:00`,
      end: null,
    }),
  )

const story = item({ role: 'story', title: 'Five new members', text: 'Welcome.', end: null })
const notice = item({ role: 'announcement', title: 'Burn ban', text: 'No fires.', end: null })
const duty = item({ role: 'duty', title: 'Crew A', start: '2026-03-05T06:00:00' })

/** Returns the titles on each page of a panel, and the number of rows that no page shows. */
function listOf(layout: ReturnType<typeof layoutFor>) {
  const pages = layout.panels.flatMap((panel) => panel.pages)
  const lists = pages.flatMap((page) => ('columns' in page ? [page] : []))
  return {
    titles: lists.map(({ columns }) => columns.flat().map(({ title }) => title)),
    more: lists.at(-1)?.more ?? 0,
    sizes: lists.map(({ size }) => size),
  }
}

const idsOf = (items: readonly BoardItem[], options?: Parameters<typeof layoutFor>[1]) =>
  layoutFor(items, options).panels.map(({ id }) => id)

const nameAt = (name: string, options: Parameters<typeof layoutFor>[1]) =>
  layoutFor(events(1), { name, ...options }).header.name

const pagesOf = (items: readonly BoardItem[]) =>
  layoutFor(items).panels.flatMap(({ pages }) =>
    pages.flatMap((page) =>
      'columns' in page
        ? []
        : [{ notices: page.notices?.items.length ?? 0, story: page.story !== null }],
    ),
  )

test('the header stays the same all day', () => {
  const widths = Array.from({ length: 80 }, (_, index) => 320 + index * 20)
  const headersAt = (clock: string) =>
    widths.map((width) => layoutFor(events(1), { width, height: 1080, clock }).header)
  expect(headersAt('09:11:00')).toEqual(headersAt('22:58:00'))
})

test.for([
  [3, 1920, 1080, 2.9],
  [5, 1920, 1080, 4.9],
  [10, 1920, 1080, 9.7],
  [3, 1080, 1920, 1.6],
] as const)(
  'the smallest text at %i m on a 55-inch screen with %i × %i pixels is %f vh high',
  ([distance, width, height, expected]) => {
    const size = smallestReadable({ width, height }, { distance, inches: 55 })
    expect(Math.round((size / height) * 1000) / 10).toBe(expected)
    expect(smallestReadable({ width, height }, { distance, inches: 110 })).toBeCloseTo(size / 2, 5)
  },
)

describe('panels', () => {
  test('exist only for content', () => {
    expect(idsOf([])).toEqual([])
    expect(layoutFor([])).toMatchObject({ isIdle: true })
    expect(idsOf(events(3))).toEqual(['agenda'])
    expect(idsOf([story])).toEqual(['cards'])
    expect(layoutFor([story]).panels[0]?.width).toBeGreaterThan(1800)
    expect(idsOf([...events(3), story])).toEqual(['agenda', 'cards'])
    expect(layoutFor([duty])).toMatchObject({ isIdle: false, panels: [], duty: { perRow: 1 } })
  })

  test('are side by side on wide screens, and one above the other on high ones', () => {
    const wide = layoutFor([...events(3), story]).panels
    expect(wide[0]?.top).toBe(wide[1]?.top)
    const high = layoutFor([...events(3), story], { width: 1080, height: 1920 }).panels
    expect(high[0]?.left).toBe(high[1]?.left)
    expect(high[1]?.top).toBeGreaterThan((high[0]?.top ?? 0) + (high[0]?.height ?? Infinity))
  })

  test('take turns if the text must be readable from ten meters', () => {
    const { panels } = layoutFor([duty, ...events(2), notice, story], { distance: 10 })
    expect(panels.map(({ id }) => id)).toEqual(['agenda'])
    const { titles } = listOf(layoutFor([duty, ...events(2), story], { distance: 10 }))
    expect(titles[0]).toEqual(['Crew A'])
    expect(panels[0]?.pages.length).toBeGreaterThanOrEqual(4)
  })
})

describe('the list', () => {
  test('fills pages evenly, in type that is as large as possible', () => {
    const few = listOf(layoutFor(events(4)))
    expect(few.titles).toHaveLength(1)
    const many = listOf(layoutFor(events(56)))
    expect(many.titles.flat()).toHaveLength(56)
    expect(many.titles.length).toBeGreaterThan(1)
    const lengths = many.titles.map(({ length }) => length)
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(Math.max(...lengths) / 2)
    expect(few.sizes[0]).toBeGreaterThan(2 * (many.sizes[0] ?? Infinity))
  })

  test('says how many rows it does not show', () => {
    const { titles, more } = listOf(layoutFor(events(56), { distance: 10 }))
    expect(titles).toHaveLength(6)
    expect(more).toBe(56 - titles.flat().length)
  })

  test('shows no more rows on a page than asked for', () => {
    const { titles } = listOf(layoutFor(events(9), { maxRows: 3 }))
    expect(titles.map(({ length }) => length)).toEqual([3, 3, 3])
  })

  test('shortens long titles after a whole word', () => {
    const { titles } = listOf(layoutFor(events(1, 'Emergency medical technician '.repeat(20))))
    expect(titles[0]?.[0]).toMatch(/(?:Emergency|medical|technician)…$/)
  })
})

describe('the name', () => {
  test('is complete if there is room, and abbreviated otherwise', () => {
    const name = 'Cedar Hollow Volunteer Fire Department'
    expect(nameAt(name, {})).toBe(name)
    expect(nameAt(name, { width: 1080, height: 1920 })).toBe(name)
    expect(nameAt(name, { distance: 10 })).toBe('Cedar Hollow VFD')
  })

  test('ends after a whole word if even its abbreviation is too long', () => {
    const name = 'Cedar Hollow and Upper Ashton Consolidated Volunteer Fire Department'
    expect(nameAt(name, { distance: 10 })).toMatch(/^Cedar Hollow(?: and| and Upper)?…$/)
  })
})

test('announcements stay next to stories if they are short, and have pages of their own otherwise', () => {
  expect(pagesOf([notice, story, story])).toEqual([
    { notices: 1, story: true },
    { notices: 1, story: true },
  ])
  const long = [1, 2, 3].map((id) => ({ ...notice, text: `No open fires. ${id} `.repeat(23) }))
  expect(pagesOf([...long, story]).map(({ story: isStory }) => isStory)).toEqual(
    expect.arrayContaining([false, true]),
  )
})

test('long announcements continue on further pages on small screens, with all their words', () => {
  const text = 'Report to the station. Bring your own gear. '.repeat(4).trim()
  const { panels } = layoutFor([{ ...notice, text }], { distance: 10 })
  const parts = panels[0]?.pages.flatMap((page) => ('columns' in page ? [] : page.notices?.items))
  const shown = parts?.map((part) => part?.text).join(' ') ?? ''
  expect(shown.replace(/\s+/g, ' ').trim()).toBe(text)
})

test('pages fit their panels in any case, and never have smaller text', () => {
  const texts = fc.string({ unit: anyCharacter, maxLength: 120 })
  const arbitrary = fc.record({
    role: fc.constantFrom<BoardItem['role']>(
      'agenda',
      'announcement',
      'story',
      'bookings',
      'duty',
      'volunteers',
    ),
    title: texts,
    text: texts,
    location: texts,
    start: fc.constantFrom('2026-03-05', '2026-03-05T19:00:00', '2026-03-07T23:30:00'),
  })
  const screens = fc.record({
    width: fc.integer({ min: 640, max: 7680 }),
    height: fc.integer({ min: 480, max: 4320 }),
    distance: fc.constantFrom(3, 5, 10),
    inches: fc.integer({ min: 10, max: 110 }),
  })
  fc.assert(
    fc.property(fc.array(arbitrary, { maxLength: 25 }), screens, (changes, screen) => {
      const items = changes.map((change, id) =>
        item({
          ...change,
          id: `${id}`,
          end: null,
          allDay: change.start.length === 10,
        }),
      )
      const { panels, screen: solved } = layoutFor(items, screen)
      for (const panel of panels) {
        expect(panel.width).toBeGreaterThan(0)
        expect(panel.height).toBeGreaterThan(0)
        expect(panel.top + panel.height).toBeLessThanOrEqual(screen.height)
        expect(panel.pages.length).toBeGreaterThan(0)
        for (const page of panel.pages) {
          const size = 'columns' in page ? page.size : (page.story?.size ?? page.notices?.size ?? 0)
          expect(size).toBeGreaterThanOrEqual(solved.smallest)
        }
      }
    }),
    { numRuns: 60 },
  )
})
