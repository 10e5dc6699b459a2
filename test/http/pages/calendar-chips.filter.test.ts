import { expect, test } from 'vitest'
import { feeds } from '../../../src/feeds/catalog.ts'
import { readEntryFilter } from '../../../src/http/pages/calendar-chips.ts'

const filtered = feeds
  .filter(({ id }) => ['calendar', 'events', 'rental'].includes(id))
  .map((feed) => ({
    feed,
    parts:
      feed.id === 'calendar'
        ? [3, 4, 5].map((id) => ({ name: `Calendar ${id}`, option: 'calendar', id }))
        : [],
  }))

const filterOf = (show: string) => readEntryFilter(filtered, new URLSearchParams({ show }))
const chipsOf = (show: string) =>
  filterOf(show).chips.map(
    ({ label, isChosen, show: next }) => `${isChosen ? '+' : '-'}${label}>${next}`,
  )

test('shows everything by default, with a link that hides each calendar', () => {
  const { chosen, show, chips } = readEntryFilter(filtered, new URLSearchParams())
  expect(show).toBe('')
  expect(chosen.map(({ feedId }) => feedId)).toEqual(['calendar', 'events', 'rental'])
  expect(chips.map((chip) => [chip.label, chip.isChosen, chip.show])).toEqual([
    ['Calendar 3', true, 'calendar:4.5,events,rental'],
    ['Calendar 4', true, 'calendar:3.5,events,rental'],
    ['Calendar 5', true, 'calendar:3.4,events,rental'],
    ['Events', true, 'calendar,rental'],
    ['Rentals', true, 'calendar,events'],
  ])
})

test('adds to a choice, and shows everything again instead of nothing', () => {
  expect(chipsOf('events')).toEqual([
    '-Calendar 3>calendar:3,events',
    '-Calendar 4>calendar:4,events',
    '-Calendar 5>calendar:5,events',
    '+Events>',
    '-Rentals>events,rental',
  ])
  expect(chipsOf('calendar:3.4,events,rental')[2]).toBe('-Calendar 5>')
})

test('explains an invalid choice in a sentence', () => {
  expect(() => filterOf('signup')).toThrow(/^show must be .*"signup" is not one of them\.$/)
  expect(() => filterOf('events:3')).toThrow(/events/)
})
