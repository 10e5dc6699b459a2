import { expect, test } from 'vitest'
import { eventsRecipe } from '../../src/calendar/events-recipe.ts'
import { itemsFromNews } from '../../src/syndication/news-items.ts'
import { defineFeed } from '../../src/feeds/define-feed.ts'
import { readFeedOptions, readListOptions } from '../../src/feeds/feed-options.ts'
import { optionsFormFor } from '../../src/http/pages/feed-options-form.ts'
import type { FeedOption } from '../../src/options/option.ts'
import { oneOf } from '../../src/options/value-types.ts'
import { documentedOptions } from '../support/documented-options.ts'

/* An option is defined by a single constant. This option exists only in this test. */

const weather: FeedOption<'any' | 'dry' | 'wet'> = {
  name: 'weather',
  type: oneOf(['any', 'dry', 'wet']),
  defaultValue: 'any',
  selectsRecords: true,
  fields: [
    {
      label: 'Weather',
      choices: [
        ['', 'any'],
        ['dry', 'dry days'],
      ],
    },
  ],
  example: 'weather=dry',
  meaning: 'only dry or only wet days',
}

const about = {
  title: 'Made up',
  summary: 'A feed with its own option.',
  boardRole: 'agenda',
} as const

const calendar = defineFeed({
  id: 'events',
  resource: 'events',
  ...about,
  calendar: { recipe: eventsRecipe, moreOptions: { weather } },
})

const news = defineFeed({
  id: 'news',
  resource: 'news',
  ...about,
  items: { itemsFrom: itemsFromNews, moreOptions: { weather } },
})

const kinds = [
  { feed: calendar, format: 'ics', on: '`.ics`' },
  { feed: news, format: 'rss', on: '`.rss`, `.atom`, `.json`' },
] as const

test.for(kinds)(
  'reads a new option of $format and writes it to the query string',
  ({ feed, format }) => {
    const read = (query: string) => readFeedOptions(feed, format, new URLSearchParams(query))
    expect(read('x=1&weather=wet')).toMatchObject({
      ok: true,
      chosen: { values: { weather: 'wet' }, query: 'weather=wet' },
    })
    for (const query of ['', 'weather=any']) {
      expect(read(query)).toMatchObject({
        ok: true,
        chosen: { values: { weather: 'any' }, query: '' },
      })
    }
    expect(readListOptions(feed, new URLSearchParams('weather=dry'))).toMatchObject({
      chosen: { query: 'weather=dry' },
    })
  },
)

test.for(kinds)('reports invalid values of a new option of $format', ({ feed, format }) => {
  const read = (query: string) => readFeedOptions(feed, format, new URLSearchParams(query))
  const reason = 'weather must be any or dry or wet.'
  expect(read('weather=foggy')).toEqual({ ok: false, reason })
  expect(read('weather=dry&weather=dry')).toEqual({
    ok: false,
    reason: 'weather appears more than once.',
  })
  expect(readListOptions(feed, new URLSearchParams('weather=foggy'))).toEqual({ ok: false, reason })
})

test.for(kinds)('shows a new option of $format in the form', ({ feed, format }) => {
  const query = new URLSearchParams(`feed=${feed.id}&weather=dry`)
  const form = optionsFormFor(feed, { base: 'https://feeds.example', parts: [] }, query)
  expect(form).toMatchObject({
    isComposed: true,
    chosen: ['weather dry days'],
    queries: { [format]: 'weather=dry' },
  })
  expect(form.selects.map(({ label }) => label)).toContain('Weather')
})

test.for(kinds)('lists a new option of $format in the documentation', ({ feed, on }) => {
  expect(documentedOptions([feed]).get('weather=dry')).toEqual({
    option: '`weather=dry`',
    on,
    values: '`any`, `dry`, `wet`',
    meaning: 'only dry or only wet days',
  })
})
