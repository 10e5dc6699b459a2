import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOptions } from '../../src/options/option.ts'
import { publishableFeeds, standardCatalog } from '../../src/feeds/catalog.ts'
import { contentTypeOf, feedFormats } from '../../src/feeds/formats.ts'
import { endpointOf } from '../../src/records/resources.ts'
import { documentedOptions, isOn, unknownIn } from '../support/documented-options.ts'
import { documentOf, root, tableAfter } from '../support/documentation.ts'
import { fieldsTableOf, namesIn, profiles, seenBy } from '../support/documented-fields.ts'
import { collectionAfter, renderFeed, renderReplies } from '../support/feed-text.ts'
import { markedRecord, markOf, placesOf } from '../support/marked-record.ts'

/* Compares the tables in docs/feeds.md with the code and with rendered feeds. */

const { feeds } = standardCatalog
const text = documentOf('docs/feeds.md')
const now = Date.parse('2026-03-05T15:00:00Z')
const sorted = (names: readonly string[]) => [...new Set(names)].sort()

test('lists every feed with its source and formats', () => {
  const rows = tableAfter('## Feeds', text).map((row) => ({
    id: namesIn(row['feed'])[0],
    resource: namesIn(row['made from'])[0],
    formats: namesIn(row['formats']),
  }))
  expect(rows).toEqual(
    feeds.map(({ id, resource, formats }) => ({
      id,
      resource: endpointOf(resource),
      formats: formats.map((format) => `.${format}`),
    })),
  )
})

test('.env.example lists the feeds that can be public', () => {
  const example = readFileSync(join(root, '.env.example'), 'utf8')
  const [, listed = ''] =
    /^# Feeds that anyone can read: any of (.*)\n#PUBLIC_FEEDS=/ms.exec(example) ?? []
  expect(listed.replace('\n# ', ' ').split(/, | and /)).toEqual(
    publishableFeeds.map(({ id }) => id),
  )
})

test('lists the media type of each format', () => {
  for (const format of feedFormats) {
    const type = contentTypeOf(format)
    expect(text).toMatch(new RegExp(`\\| \`\\.${format}\` .*\\| \`${type.replace('+', '\\+')}\``))
  }
})

const all = feeds.flatMap((feed) =>
  feed.formats.flatMap((format) =>
    Object.values(feed.options(format)).map((option) => ({ feed, format, option })),
  ),
)

describe('options', () => {
  const rows = documentedOptions('## Options').filter(({ name }) => name !== 'download')

  test.for(all)(
    'have a row for $option.name of $feed.id as $format',
    ({ feed, format, option }) => {
      const known = rows.filter((row) => row.name === option.name && isOn(row, feed, format))
      expect(known).toHaveLength(1)
    },
  )

  test.for(rows)('that match $example have the documented feeds and values', (row) => {
    const { example, name, on } = row
    const takers = all.filter(
      ({ feed, format, option }) => option.name === name && isOn(row, feed, format),
    )
    for (const { feed, format, option } of takers) {
      expect(readOptions(feed.options(format), new URLSearchParams(example)).ok).toBe(true)
      expect([feed.id, format, unknownIn(row, option)]).toEqual([feed.id, format, []])
    }
    const others = on.filter((each) => !takers.some(({ feed }) => feed.id === each))
    const ofFormats = feeds.flatMap(({ id, formats }) =>
      formats.filter((format) => others.includes(`.${format}`)).map((format) => [id, format]),
    )
    const taking = takers.map(({ feed, format }) => [feed.id, format])
    expect(taking).toEqual(expect.arrayContaining(ofFormats))
    expect(others).toEqual(on.filter((each) => each.startsWith('.')))
  })

  test.for(rows.filter(({ values }) => /^\d+ to \d+$/.test(values)))(
    'named $name accept $values and nothing else',
    (row) => {
      const [least = 0, most = 0] = row.values.split(' to ').map(Number)
      const { feed, format } =
        all.find(
          ({ feed, format, option }) => option.name === row.name && isOn(row, feed, format),
        ) ?? {}
      const isTaken = (value: number) =>
        feed &&
        format &&
        readOptions(feed.options(format), new URLSearchParams(`${row.name}=${value}`)).ok
      expect([least - 1, least, most, most + 1].map(isTaken)).toEqual([false, true, true, false])
    },
  )
})

test.for([
  { heading: '## Combined calendars', format: 'ics' },
  { heading: '### Combined news', format: 'rss' },
] as const)('lists the options that only feeds in $heading have', ({ heading, format }) => {
  const rows = documentedOptions(heading)
  const known = new Set(all.map(({ option }) => option))
  // Of everyone's feed, and of a link's.
  for (const feed of [standardCatalog.allFeeds, standardCatalog.myFeeds]) {
    const own = Object.values(feed.options(format)).filter((option) => !known.has(option))
    expect(own.map(({ name }) => name)).toEqual(rows.map(({ name }) => name))
    for (const [index, row] of rows.entries()) {
      const option = own[index]
      expect(readOptions(feed.options(format), new URLSearchParams(row.example)).ok).toBe(true)
      expect([row.name, option && unknownIn(row, option)]).toEqual([row.name, []])
    }
  }
})

test('lists every field of members once', () => {
  const listed = fieldsTableOf({ id: 'members' }).flatMap((row) => namesIn(row['field']))
  expect(listed.toSorted()).toEqual([...markedRecord('members').fields].toSorted())
})

describe.for(feeds.map((feed) => ({ feed, id: feed.id })))(
  'the table of fields in $id',
  ({ feed, id }) => {
    const rows = fieldsTableOf(feed)
    const record = markedRecord(feed.resource)

    test('lists every field once', () => {
      expect(rows.flatMap((row) => namesIn(row['field'])).sort()).toEqual([...record.fields].sort())
    })

    test.for(record.marked)(
      'is right about the formats and profiles in which %s appears',
      async (field) => {
        const row = rows.find((each) => namesIn(each['field']).includes(field)) ?? {}
        // The table also describes items that have no picture.
        const items = [record.item, { ...(record.item as object), images: [] }]
        const collections = await Promise.all(
          items.map((item) => collectionAfter(feed.resource, [[item]], now)),
        )
        for (const format of feed.formats) {
          for (const profile of profiles) {
            const places = collections.flatMap((collection) => {
              const { text: made } = renderFeed(id, collection, { now, format, profile })
              return [...placesOf(markOf(field), format, made)]
            })
            if (field.startsWith('replies.')) {
              const topic = { now, format, profile, topicId: 1 }
              const made = await renderReplies(
                { topics: items, replies: repliesIn(record.record) },
                topic,
              )
              places.push(...placesOf(markOf(field), format, made))
            }
            const said = seenBy(row).includes(profile) ? namesIn(row[`.${format}`]) : []
            expect({ format, profile, places: sorted(places) }).toEqual({
              format,
              profile,
              places: sorted(said),
            })
          }
        }
      },
    )
  },
)

/** Returns the replies in a topic of the sandbox's forum, which the website sends separately. */
function repliesIn(topic: object): readonly unknown[] {
  return (topic as { readonly replies?: readonly unknown[] }).replies ?? []
}
