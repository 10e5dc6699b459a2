import { expect, test } from 'vitest'
import { feeds, standardCatalog } from '../../src/feeds/catalog.ts'
import type { FeedPart, Feed } from '../../src/feeds/feed.ts'
import type { SourceChoice } from '../../src/feeds/source-list.ts'
import {
  chipsFor,
  choiceWithChips,
  readEntryFilter,
  showFrom,
  showIn,
  withChosen,
  type Chip,
} from '../../src/web/calendar-chips.ts'

const calendars = standardCatalog
  .feedsOf({ feedIds: undefined })
  .filter(({ formats }) => formats.includes('ics'))

const language = 'en-US'

const drills = { name: 'Drills', option: 'calendar', id: 3 }
const meetings = { name: 'Meetings', option: 'calendar', id: 4 }

const partsOf = ({ id }: Feed): readonly FeedPart[] => (id === 'calendar' ? [drills, meetings] : [])

function chipsWith({
  show,
  isPublic = false,
  parts = partsOf,
}: {
  readonly show?: readonly SourceChoice[]
  readonly isPublic?: boolean
  readonly parts?: typeof partsOf
} = {}): readonly Chip[] {
  return chipsFor(calendars, parts, show, { isPublic, language })
}

const chosenIn = (chips: readonly Chip[]) =>
  chips.filter(({ isChosen }) => isChosen).map(({ value }) => value)

const everything = ['calendar:3', 'calendar:4', 'events', 'rental', 'signup']

test('has a chip for each calendar, and one for each other feed', () => {
  const chips = chipsWith()
  expect(chips.map(({ value }) => value)).toEqual(everything)
  const labels = chips.map(({ label }) => label)
  expect(labels.join(', ')).toBe('Drills, Meetings, Public events, Rentals, Open sign-ups')
})

test('has one chip for a feed with too many calendars to show, named after the feed', () => {
  const many = Array.from({ length: 13 }, (_, index) => ({ ...drills, id: index + 1 }))
  const parts = ({ id }: Feed) => (id === 'calendar' ? many : [])
  expect(chipsWith({ parts })[0]).toMatchObject({ value: 'calendar', label: 'Calendar' })
  expect(chipsWith({ parts: (feed) => partsOf(feed).slice(0, 1) })[0]).toMatchObject({
    value: 'calendar',
    label: 'Drills',
  })
})

test('chooses everything at first, except bookings on the public page', () => {
  expect(chosenIn(chipsWith())).toEqual(everything)
  const chips = chipsWith({ isPublic: true })
  expect(chosenIn(chips)).toEqual(everything.filter((value) => value !== 'rental'))
  expect(showFrom(chips)).toEqual({ list: 'calendar,events,signup', isEverything: false })
  const rental = calendars.filter(({ id }) => id === 'rental')
  const only = chipsFor(rental, partsOf, undefined, { isPublic: true, language })
  expect(chosenIn(only)).toEqual(['rental'])
})

test('shows a saved choice, even of a calendar that has no entries now', () => {
  const chips = chipsWith({ show: [{ feedId: 'calendar', parts: [4, 9] }] })
  expect(chosenIn(chips)).toEqual(['calendar:4', 'calendar:9'])
  expect(chips.find(({ part }) => part === 9)?.label).toBe('Number 9, currently without entries')
})

test.for([
  { values: everything, list: 'calendar,events,rental,signup', isEverything: true },
  { values: ['calendar:3', 'calendar:4'], list: 'calendar' },
  { values: ['calendar:4', 'events'], list: 'calendar:4,events' },
  { values: ['events,calendar:3.4'], list: 'calendar,events' },
  { values: ['calendar'], list: 'calendar' },
  { values: ['rental:2'], list: 'rental' },
  { values: ['', 'unknown', 'calendar:77'], list: '' },
])('turns chips into the option for $values', ({ values, list, isEverything = false }) => {
  expect(showFrom(withChosen(chipsWith(), values))).toEqual({ list, isEverything })
})

test('keeps rental types and other options of a saved choice', () => {
  const before = { calendar: 'show=calendar,rental:2&alarm=60', news: 'limit=5' }
  const chips = chipsWith({ show: showIn(standardCatalog.myFeeds, before) ?? [] })
  const form = { feed: standardCatalog.myFeeds, language }
  const posted = new URLSearchParams('show=&show=calendar:3&show=rental')
  expect(choiceWithChips(form, chips, posted, before)).toEqual({
    ok: true,
    choice: { calendar: 'show=calendar:3,rental:2&alarm=60', news: 'limit=5' },
  })
  const all = new URLSearchParams({ show: everything.join(',') })
  const plain = { calendar: '', news: '' }
  const reading = choiceWithChips(form, chipsWith(), all, plain)
  expect(reading).toEqual({ ok: true, choice: plain })
})

const filtered = feeds
  .filter(({ id }) => ['calendar', 'events', 'rental'].includes(id))
  .map((feed) => ({
    feed,
    parts:
      feed.id === 'calendar'
        ? [3, 4, 5].map((id) => ({ name: `Calendar ${id}`, option: 'calendar', id }))
        : [],
  }))

const filterOf = (show: string) =>
  readEntryFilter(filtered, new URLSearchParams({ show }), { language })

const chipsOf = (show: string) =>
  filterOf(show).chips.map(
    ({ label, isChosen, show: next }) => `${isChosen ? '+' : '-'}${label}>${next}`,
  )

test('shows everything by default, with a link that shows each calendar alone', () => {
  const { chosen, show, chips } = readEntryFilter(filtered, new URLSearchParams(), { language })
  expect(show).toBe('')
  expect(chosen.map(({ feedId }) => feedId)).toEqual(['calendar', 'events', 'rental'])
  expect(chips.map((chip) => [chip.label, chip.isChosen, chip.show])).toEqual([
    ['All', true, ''],
    ['Calendar 3', false, 'calendar:3'],
    ['Calendar 4', false, 'calendar:4'],
    ['Calendar 5', false, 'calendar:5'],
    ['Events', false, 'events'],
    ['Rentals', false, 'rental'],
  ])
})

test('adds to a choice, and shows everything again instead of nothing', () => {
  expect(chipsOf('events')).toEqual([
    '-All>',
    '-Calendar 3>calendar:3,events',
    '-Calendar 4>calendar:4,events',
    '-Calendar 5>calendar:5,events',
    '+Events>',
    '-Rentals>events,rental',
  ])
  expect(chipsOf('calendar:3.4,events,rental')[3]).toBe('-Calendar 5>')
})

test('explains an invalid choice in a sentence', () => {
  expect(() => filterOf('signup')).toThrow(/^show must be .*"signup" is not one of them\.$/)
  expect(() => filterOf('events:3')).toThrow(/events/)
})
