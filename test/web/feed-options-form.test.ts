import { expect, test } from 'vitest'
import { standardCatalog } from '../../src/feeds/catalog.ts'
import type { FeedPart } from '../../src/feeds/feed.ts'
import { optionsFormFor } from '../../src/web/feed-options-form.ts'
import { feedWith } from '../support/feed-text.ts'

const calendars = [
  { name: 'Drills', option: 'calendar', id: 3 },
  { name: 'Meetings', option: 'calendar', id: 4 },
]
const categories = [{ name: 'Incidents', option: 'category', id: 7 }]

function composed(id: string, query: string, parts: readonly FeedPart[] = []) {
  return optionsFormFor(
    feedWith(id),
    { base: 'https://feeds.example', parts, language: 'en-US' },
    new URLSearchParams(query),
  )
}

test('links to the plain feed if no options are chosen', () => {
  for (const query of ['', 'feed=calendar', 'feed=calendar&alarm=&past=', 'feed=events&alarm=5']) {
    expect(composed('calendar', query, calendars)).toMatchObject({
      isComposed: false,
      fault: undefined,
      queries: { ics: '' },
      pageQuery: '',
    })
  }
})

test('combines several parts and options in one URL', () => {
  const query = 'feed=calendar&calendar=4&calendar=3&alarm=60&past='
  const composer = composed('calendar', query, calendars)
  expect(composer).toMatchObject({
    isComposed: true,
    queries: { ics: 'calendar=3,4&alarm=60' },
    partName: undefined,
    chosen: ['Drills', 'Meetings', 'reminder 1 hour before'],
    pageQuery: '?feed=calendar&calendar=4&calendar=3&alarm=60',
  })
  expect(composer.parts.map(({ isChosen }) => isChosen)).toEqual([true, true])
  const alarm = composer.selects.find(({ name }) => name === 'alarm')
  expect(alarm?.choices.find(({ isChosen }) => isChosen)?.label).toBe('1 hour before')
})

test('reports parameters that are neither fields nor options', () => {
  const query = 'feed=calendar&calendar=3&alram=60&foo=1&cancelled=mark&download=1&lang=es&fbclid=x'
  expect(composed('calendar', query, calendars)).toMatchObject({
    unused: [
      '“alram” in the address has no effect. Did you mean “alarm”?',
      '“foo” in the address has no effect.',
    ],
    fault: undefined,
    queries: { ics: 'calendar=3&cancelled=mark' },
  })
  expect(composed('events', query).unused).toEqual([])
  expect(composed('events', 'feed=events&limit=5&alarm=5').unused).toEqual([])
  expect(composed('news', 'feed=news&alarm=5').unused).toEqual([
    '“alarm” in the address has no effect.',
  ])
})

test('combines several reminders into one option', () => {
  for (const query of ['alarm=1440&alarm=60', 'alarm=1440,60', 'alarm=&alarm=60&alarm=1440']) {
    const composer = composed('calendar', `feed=calendar&${query}`)
    expect(composer.queries).toEqual({ ics: 'alarm=60,1440' })
    expect(composer.chosen).toHaveLength(2)
    const chosen = composer.selects
      .filter(({ name }) => name === 'alarm')
      .flatMap(({ choices }) => choices.filter(({ isChosen }) => isChosen))
    expect(new Set(chosen.map(({ label }) => label))).toEqual(
      new Set(['1 hour before', '1 day before']),
    )
  }
})

test('keeps reminders that have no form field', () => {
  const composer = composed('calendar', 'feed=calendar&alarm=60,120,1440')
  expect(composer.queries).toEqual({ ics: 'alarm=60,120,1440' })
  const values = composer.selects
    .filter(({ name }) => name === 'alarm')
    .map(({ choices }) => choices.find(({ isChosen }) => isChosen)?.value)
  expect(values).toEqual(['60', '120,1440'])
})

test('names a feed after its part if it has only one', () => {
  expect(composed('calendar', 'feed=calendar&calendar=3', calendars).partName).toBe('Drills')
  expect(composed('news', 'feed=news&category=7', categories)).toMatchObject({
    partName: 'Incidents',
    queries: { rss: 'category=7', atom: 'category=7', json: 'category=7' },
  })
})

test('offers the options for all formats, and applies each option only to formats that support it', () => {
  const { queries, selects } = composed('events', 'feed=events&alarm=15&content=summary')
  const content = 'content=summary'
  expect(queries).toEqual({ ics: 'alarm=15', rss: content, atom: content, json: content })
  expect(selects.map(({ name }) => name).join(' ')).toBe(
    'alarm alarm past future dayalarm cancelled changes busy color content',
  )
})

const ids = Array.from({ length: 20 }, (_, index) => 1_000_000 + index)

test.for([
  ['an invalid value', 'alarm=soon&past=30', 'alarm must be a whole number from 0 to 40320.'],
  ['an unknown part, which would leave the calendar empty', 'calendar=3,99', 'Unknown choice: 99.'],
  ['a long URL', `calendar=${ids.join()}`, expect.stringMatching(/^The address would have more/)],
] as const)('reports %s, and does not show any URLs', ([, query, fault]) => {
  const many = ids.map((id) => ({ name: `C${id}`, option: 'calendar', id }))
  expect(composed('calendar', `feed=calendar&${query}`, [...calendars, ...many])).toMatchObject({
    fault,
    isComposed: false,
    queries: {},
    pageQuery: '',
  })
})

test('ignores parameters that are not options for the feed', () => {
  expect(composed('calendar', 'feed=calendar&alarm=5&utm=%22%3E&type=2').pageQuery).toBe(
    '?feed=calendar&alarm=5',
  )
})

test('ignores a selection of feeds for a feed that combines no others', () => {
  const context = { base: 'https://feeds.example', parts: [], language: 'en-US' }
  const query = new URLSearchParams('feed=events&show=calendar&alarm=60')
  const readable = standardCatalog.feeds
  expect(optionsFormFor(feedWith('events'), { ...context, readable }, query)).toMatchObject({
    hidden: [],
    chosen: ['reminder 1 hour before'],
    unused: ['“show” in the address has no effect.'],
    queries: { ics: 'alarm=60' },
    pageQuery: '?feed=events&alarm=60',
  })
})

test('has text fields for words and a place', () => {
  const composer = composed('events', 'feed=events&q=Fish+Fry&place=Hall')
  expect(composer).toMatchObject({
    queries: { ics: 'q=fish%20fry&place=hall', rss: 'q=fish%20fry' },
    chosen: ['only with “Fish Fry”', 'only at “Hall”'],
    pageQuery: '?feed=events&q=Fish+Fry&place=Hall',
    fault: undefined,
  })
  expect(composer.textFields).toMatchObject([
    { name: 'q', label: 'Only with these words', value: 'Fish Fry', maxLength: 100 },
    { name: 'place', label: 'Only at this place', value: 'Hall', maxLength: 100, isPlace: true },
  ])
  expect(composed('news', '').textFields.map(({ name }) => name)).toEqual(['q'])
})

test.for([
  ['q=a+b+c+d+e+f+g+h+i', 'en', 'Enter at most 8 words, with at most 100 characters in total.'],
  [
    'q=a+b+c+d+e+f+g+h+i',
    'de',
    'Geben Sie höchstens 8 Wörter mit insgesamt höchstens 100 Zeichen ein.',
  ],
  [`place=${'x'.repeat(101)}`, 'fr', 'Le nom du lieu ne peut pas dépasser 100 caractères.'],
  ['q=a&q=b', 'de', 'q appears more than once.'],
] as const)(
  'explains an invalid search in the language of the page: %s',
  ([query, language, fault]) => {
    const searched = new URLSearchParams(`feed=events&${query}`)
    const context = { base: 'https://feeds.example', parts: [], language }
    const composer = optionsFormFor(feedWith('events'), context, searched)
    expect(composer).toMatchObject({ fault, isComposed: false, queries: {} })
    expect(composer.textFields.map(({ value }) => value)).toContain(
      searched.get('q') ?? searched.get('place'),
    )
  },
)

test('keeps the feeds that other pages have selected', () => {
  const readable = standardCatalog.feeds
  const context = { base: 'https://feeds.example', parts: [], language: 'en-US', readable }
  const query = new URLSearchParams('feed=all&show=calendar:3&q=drill')
  const composer = optionsFormFor(standardCatalog.allFeeds, context, query)
  expect(composer).toMatchObject({
    hidden: [{ name: 'show', value: 'calendar:3' }],
    chosen: ['Calendar', 'only with “drill”'],
    // News feeds do not include a calendar.
    queries: { ics: 'show=calendar:3&q=drill' },
    fault: undefined,
  })
  expect(Object.keys(composer.queries)).toEqual(['ics'])
  const repeated = new URLSearchParams('feed=all&show=calendar&show=events')
  expect(optionsFormFor(standardCatalog.allFeeds, context, repeated)).toMatchObject({
    hidden: [
      { name: 'show', value: 'calendar' },
      { name: 'show', value: 'events' },
    ],
  })
  const invalid = new URLSearchParams('feed=all&show=parties')
  expect(optionsFormFor(standardCatalog.allFeeds, context, invalid).fault).toMatch(/^show must be/)
})
