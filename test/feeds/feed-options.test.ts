import { expect, test } from 'vitest'
import { readOptions } from '../../src/options/option.ts'
import { feeds } from '../../src/feeds/catalog.ts'
import { partOptions, readListOptions } from '../../src/feeds/feed-options.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { emptySearch } from '../../src/search/search.ts'
import { documentedOptions, isOn } from '../support/documented-options.ts'
import { feedWith } from '../support/feed-text.ts'

const readOf = (feedId: string, format: FeedFormat, query: string) =>
  readOptions(feedWith(feedId).options(format), new URLSearchParams(query))

const none = {
  search: emptySearch,
  place: '',
  parts: [],
  pastDays: undefined,
  futureDays: undefined,
  alarmMinutes: [],
  dayReminders: undefined,
  cancelled: 'drop',
  changes: 'none',
  busy: undefined,
  color: undefined,
}

test.for([
  ['', none],
  ['utm_source=mail&fbclid=1', none],
  ['calendar=3,4', { ...none, parts: [3, 4] }],
  ['calendar=4&calendar=3,4', { ...none, parts: [3, 4] }],
  ['type=2', none],
  ['past=0&future=3650', { ...none, pastDays: 0, futureDays: 3650 }],
  ['dayalarm=18:00,%2B08:00', { ...none, dayReminders: ['+08:00', '18:00'] }],
  ['dayalarm=18:00&dayalarm=+08:00', { ...none, dayReminders: ['+08:00', '18:00'] }],
  ['dayalarm=none', { ...none, dayReminders: [] }],
  ['alarm=0', { ...none, alarmMinutes: [0] }],
  ['alarm=1440,30,030', { ...none, alarmMinutes: [30, 1440] }],
  ['alarm=30&alarm=1440', { ...none, alarmMinutes: [30, 1440] }],
  ['cancelled=mark', { ...none, cancelled: 'mark' }],
  ['busy=1', { ...none, busy: true }],
  ['busy=0', { ...none, busy: false }],
  ['color=FireBrick', { ...none, color: 'b22222' }],
  ['color=%23B22222', { ...none, color: 'b22222' }],
] as const)('%s', ([query, options]) => {
  expect(readOf('calendar', 'ics', query)).toMatchObject({ ok: true, chosen: { values: options } })
})

test('selects rental types with the `type` option', () => {
  expect(readOf('rental', 'ics', 'type=2')).toEqual({
    ok: true,
    chosen: { values: { ...none, parts: [2] }, query: 'type=2' },
  })
})

test('has no parts option for a feed without parts', () => {
  const { parts: _, ...values } = none
  expect(readOf('events', 'ics', 'calendar=x&type=x')).toEqual({
    ok: true,
    chosen: { values, query: '' },
  })
})

const numbers = (name: string) =>
  `${name} must be 1 to 20 comma-separated numbers, like ${name}=2,5.`
const tooMany = Array.from({ length: 21 }, (_, index) => index + 1).join(',')

const rejected: readonly (readonly [queries: readonly string[], reason: string])[] = [
  [['', 'x', '0', '1,,2', tooMany].map((ids) => `calendar=${ids}`), numbers('calendar')],
  [
    ['', '#', 'reddish', 'b2222', 'b222222', '##b22222', 'red;X:1', 'red\n'].map(
      (color) => `color=${encodeURIComponent(color)}`,
    ),
    'color must be a CSS color name like firebrick, or six hexadecimal digits like b22222.',
  ],
  [['past=-1', 'past=', 'past=1e2'], 'past must be a whole number from 0 to 3650.'],
  [['future=3651'], 'future must be a whole number from 0 to 3650.'],
  [['alarm=40321', 'alarm=-1', 'alarm='], 'alarm must be a whole number from 0 to 40320.'],
  [
    ['alarm=30,', 'alarm=30,soon', 'alarm=30&alarm=soon', 'alarm=1,2,3,4,5,6'],
    'alarm must be at most 5 comma-separated whole numbers from 0 to 40320, like alarm=30,1440.',
  ],
  [['past=5&past=10'], 'past appears more than once.'],
  [['cancelled=yes'], 'cancelled must be drop or mark.'],
  [['busy=', 'busy=free'], 'busy must be 0 or 1.'],
  [['busy=1&busy=1'], 'busy appears more than once.'],
  [
    [`q=${'x'.repeat(101)}`, 'q=1+2+3+4+5+6+7+8+9'],
    'q must be at most 100 characters and 8 words.',
  ],
  [['q=a&q=b'], 'q appears more than once.'],
  [[`place=${'x'.repeat(101)}`], 'place must be the name of a place, with at most 100 characters.'],
]
const rejectedForNews: typeof rejected = [
  [['limit=0', 'limit=201'], 'limit must be a whole number from 1 to 200.'],
  [['limit=5&limit=6'], 'limit appears more than once.'],
  [['0', '', 'x', '7,', tooMany].map((ids) => `category=${ids}`), numbers('category')],
  [['content=all'], 'content must be full or summary.'],
  [['featured=yes'], 'featured must be 0 or 1.'],
]

test.for([
  ...rejected.map((row) => ['calendar', 'ics', ...row] as const),
  ...rejectedForNews.map((row) => ['news', 'rss', ...row] as const),
])('rejects options of %s.%s: %j', ([feedId, format, queries, reason]) => {
  for (const query of queries) {
    expect(readOf(feedId, format, query)).toEqual({ ok: false, reason })
  }
})

test.for<[feed: string, format: FeedFormat, query: string, canonical: string]>([
  ['calendar', 'ics', '', ''],
  ['calendar', 'ics', 'cancelled=drop&x=1', ''],
  [
    'calendar',
    'ics',
    'busy=1&cancelled=mark&alarm=1440,030&future=7&past=1&calendar=4,3',
    'calendar=3,4&past=1&future=7&alarm=30,1440&cancelled=mark&busy=1',
  ],
  ['calendar', 'ics', 'busy=0', 'busy=0'],
  ['calendar', 'ics', 'q=&place=', ''],
  [
    'calendar',
    'ics',
    'q=+Training+BBQ++bbq&place=Social++HALL',
    'q=bbq%20training&place=social%20hall',
  ],
  ['calendar', 'ics', 'q=-b+%22open+house%22+-%22-a%22', 'q=%22open%20house%22%20-%22-a%22%20-b'],
  ['news', 'rss', 'q=Caf%C3%A9&limit=50', 'q=cafe'],
  ['calendar', 'ics', 'color=%23FF0000', 'color=ff0000'],
  ['calendar', 'ics', 'color=red', 'color=ff0000'],
  [
    'news',
    'rss',
    'featured=1&content=summary&limit=020&category=9&category=7&x=1',
    'category=7,9&limit=20&content=summary&featured=1',
  ],
  ['news', 'rss', 'featured=0&content=full&limit=50', ''],
])('normalizes equivalent options of %s.%s: %s', ([feedId, format, query, canonical]) => {
  const reading = readOf(feedId, format, query)
  expect(reading.ok && reading.chosen.query).toBe(canonical)
  expect(readOf(feedId, format, canonical)).toEqual(reading)
})

const readItems = (query: string, feedId = 'news') => readOf(feedId, 'rss', query)

const all = { search: emptySearch, categories: [], limit: 50, content: 'full', isFeatured: false }

test.for<[query: string, options: object]>([
  ['', all],
  ['utm_source=mail', all],
  ['category=7', { ...all, categories: [7] }],
  ['category=9,7&category=7', { ...all, categories: [7, 9] }],
  ['limit=200', { ...all, limit: 200 }],
  ['content=summary', { ...all, content: 'summary' }],
  ['featured=1', { ...all, isFeatured: true }],
  ['featured=0', all],
])('reads the query string "%s" for a news feed', ([query, options]) => {
  expect(readItems(query)).toMatchObject({ ok: true, chosen: { values: options } })
})

test('has no category options for a feed without categories', () => {
  expect(readItems('category=x&featured=x', 'announcements')).toEqual({
    ok: true,
    chosen: { values: { search: emptySearch, limit: 50, content: 'full' }, query: '' },
  })
})

test.for<[feedId: string, query: string, canonical: string]>([
  ['calendar', 'past=1&calendar=3&x=1', 'calendar=3&past=1'],
  ['events', 'future=7&limit=5', 'future=7'],
  ['news', 'category=7&limit=5&featured=1', 'category=7&featured=1'],
])('lists of %s apply the record-selecting options in %s', ([feedId, query, canonical]) => {
  const reading = readListOptions(feedWith(feedId), new URLSearchParams(query), ['limit'])
  expect(reading.ok && reading.chosen.query).toBe(canonical)
})

test.for<[feedId: string, query: string, name: string]>([
  ['calendar', 'calendar=3&alarm=30', 'alarm'],
  ['events', 'busy=1', 'busy'],
  ['rental', 'color=b22222', 'color'],
  ['signup', 'cancelled=mark', 'cancelled'],
  ['events', 'content=summary', 'content'],
  ['news', 'limit=5', 'limit'],
])('lists of %s reject the option %s, which would have no effect', ([feedId, query, name]) => {
  expect(readListOptions(feedWith(feedId), new URLSearchParams(query))).toEqual({
    ok: false,
    reason: `${name} has no effect on boards and lists. Leave it out.`,
  })
})

const everyOption = feeds.flatMap((feed) =>
  feed.formats.flatMap((format) =>
    Object.values(feed.options(format)).map((option) => ({ feed, format, option })),
  ),
)

test.for(everyOption)(
  'preserves the option $option.name in the query string for $feed.id.$format',
  ({ feed, format, option }) => {
    const read = (query: string) => readOptions(feed.options(format), new URLSearchParams(query))
    const rows = documentedOptions('## Options').filter((row) => isOn(row, feed, format))
    const { example = '' } = rows.find(({ name }) => name === option.name) ?? {}
    const reading = read(example)
    expect(reading.ok && reading.chosen.query).toBe(example)
    for (const [value] of (option.fields?.('en') ?? []).flatMap(({ choices }) =>
      choices.slice(1),
    )) {
      const query = `${option.name}=${value.replace('+', '%2B')}`
      const chosen = read(query)
      expect(chosen.ok && chosen.chosen.query).toBe(query)
    }
  },
)

test.for<[feedId: string, option: string, query: string]>([
  ['calendar', 'calendar', 'calendar=3'],
  ['rental', 'type', 'type=3'],
  ['news', 'category', 'category=3'],
  ['announcements', 'category', ''],
])('selects part of %s by its %s with the query string "%s"', ([feedId, option, query]) => {
  const feed = feedWith(feedId)
  for (const format of feed.formats) {
    const chosen = partOptions(feed, format, { option, id: 3 })
    expect(chosen.query).toBe(query)
    expect(readOf(feedId, format, query)).toEqual({ ok: true, chosen })
  }
})
