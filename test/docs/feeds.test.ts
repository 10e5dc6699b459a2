import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { publishableFeeds, standardCatalog } from '../../src/feeds/catalog.ts'
import { readFeedOptions } from '../../src/feeds/feed-options.ts'
import { contentTypes, type Feed, type FeedFormat } from '../../src/feeds/feed.ts'
import { endpointOf } from '../../src/records/resources.ts'
import { documentedOptions } from '../support/documented-options.ts'
import { documentOf, root, tableAfter } from '../support/documentation.ts'
import { fieldsTableOf, namesIn, profiles, seenBy } from '../support/documented-fields.ts'
import { collectionAfter, renderFeed, renderReplies } from '../support/feed-text.ts'
import { markedRecord, markOf, placesOf } from '../support/marked-record.ts'

/* Compares the tables in docs/feeds.md with the code and with rendered feeds. */

const { combinedFeeds, feeds } = standardCatalog
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
  for (const [format, type] of Object.entries(contentTypes)) {
    expect(text).toMatch(new RegExp(`\\| \`\\.${format}\` .*\\| \`${type.replace('+', '\\+')}\``))
  }
})

/** Not a value of any option. */
const impossible = 'impossible'.repeat(20)

describe('options', () => {
  const options = tableAfter('## Options', text).map((row) => {
    const [example = ''] = namesIn(row['option'])
    return { example, name: example.split('=')[0] ?? '', on: namesIn(row['on']), row }
  })

  const all = feeds.flatMap((feed) => feed.formats.map((format) => ({ feed, format })))

  test('are documented the way they are defined', () => {
    const rows = options.filter(({ name }) => name !== 'download')
    expect(new Map(rows.map(({ example, row }) => [example, row]))).toEqual(
      documentedOptions(feeds),
    )
  })

  test.for(options.filter(({ name }) => name !== 'download'))(
    'that match $example apply to the documented feeds and no others',
    ({ example, name, on }) => {
      const isOf = ({ feed, format }: { readonly feed: Feed; readonly format: FeedFormat }) =>
        Object.values(feed.options(format)).some((option) => option.example === example) &&
        !readFeedOptions(feed, format, new URLSearchParams(`${name}=${impossible}`)).ok
      const takers = all.filter(isOf)
      const isOfFormats = on.some((each) => each.startsWith('.'))
      const said = isOfFormats
        ? all.filter(({ format }) => on.includes(`.${format}`))
        : takers.filter(({ feed }) => on.includes(feed.id))
      expect(takers).toEqual(said)
      const names = isOfFormats ? on : takers.map(({ feed }) => feed.id)
      expect(sorted(names)).toEqual(sorted(on))
      for (const { feed, format } of said) {
        expect(readFeedOptions(feed, format, new URLSearchParams(example)).ok).toBe(true)
      }
    },
  )

  test.for(options.filter(({ row }) => /^\d+ to \d+$/.test(row['values'] ?? '')))(
    'named $name accept $row.values and nothing else',
    ({ name, on, row }) => {
      const [least = 0, most = 0] = (row['values'] ?? '').split(' to ').map(Number)
      const { feed, format = 'ics' } =
        all.find(({ feed, format }) => on.includes(`.${format}`) || on[0] === feed.id) ?? {}
      const isTaken = (value: number) =>
        feed && readFeedOptions(feed, format, new URLSearchParams(`${name}=${value}`)).ok
      expect([least - 1, least, most, most + 1].map(isTaken)).toEqual([false, true, true, false])
    },
  )
})

test.for([
  { heading: '## Combined calendars', format: 'ics' },
  { heading: '### Combined news', format: 'rss' },
] as const)('lists the options that only feeds in $heading have', ({ heading, format }) => {
  const rows = tableAfter(heading, text)
  const known = new Set(feeds.flatMap((feed) => Object.values(feed.options(format))))
  const documented = combinedFeeds
    .filter(({ id, formats }) => !['changes', 'digest'].includes(id) && formats.includes(format))
    .map((feed) => Object.values(feed.options(format)).filter((option) => !known.has(option)))
    .map((own) =>
      own.map(({ example, type, meaning }) => ({
        option: `\`${example}\``,
        values: type.documented,
        meaning,
      })),
    )
  // Of everyone's feed, and of a link's.
  expect(documented).toEqual([rows, rows])
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
