import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import {
  calendar,
  calendarType,
  feed,
  key,
  problem,
  problemsIn,
  reportOf,
} from './checked-address.ts'

const calendarOf = (bytes: number) => calendar.replace('END:', `X-A:${'a'.repeat(bytes)}\r\nEND:`)

test.for<{ name: string; listener: RequestListener; found: ReturnType<typeof problem> }>([
  {
    name: 'a wrong content type',
    listener: feed({ headers: { 'Content-Type': 'text/plain' } }),
    found: problem('fault', 'type', /is text\/plain instead of text\/calendar/),
  },
  {
    name: 'a calendar that is cut off',
    listener: feed({ body: calendar.slice(0, 30) }),
    found: problem('fault', 'content', /The calendar is damaged: END:VCALENDAR is missing/),
  },
  {
    name: 'a text that is not a feed',
    listener: feed({ body: 'Starting' }),
    found: problem('fault', 'content', /neither a calendar nor a feed/),
  },
  {
    name: 'a calendar that is too large for Google',
    listener: feed({ body: calendarOf(1_000_001) }),
    found: problem('fault', 'size', /1,001 kB\. Google Calendar fails above about 1,000 kB/),
  },
  {
    name: 'a response without compression',
    listener: feed({ body: calendarOf(3000), isPlain: true }),
    found: problem('note', 'compression', /not compressed/),
  },
  {
    name: 'a broken compression',
    listener: feed({ isPlain: true, headers: { 'Content-Encoding': 'gzip' } }),
    found: problem('fault', 'compression', /cannot be decompressed/),
  },
  {
    name: 'a missing ETag',
    listener: (_, response) => response.writeHead(200, calendarType).end(calendar),
    found: problem('fault', 'unchanged', /^ETag is missing/),
  },
  {
    name: 'an ETag without effect',
    listener: feed({ ignores: 'if-none-match' }),
    found: problem('fault', 'unchanged', /despite If-None-Match/),
  },
  {
    name: 'a date without effect',
    listener: feed({ ignores: 'if-modified-since' }),
    found: problem('fault', 'unchanged', /despite If-Modified-Since/),
  },
])('finds $name', async ({ listener, found }) => {
  expect(problemsIn(await reportOf(listener))).toEqual([found])
})

test('accepts a feed that changes between requests', async () => {
  let version = 0
  const report = await reportOf((request, response) => {
    version += 1
    feed({ ignores: 'if-none-match', headers: { ETag: `"${version}"` } })(request, response)
  })
  expect(problemsIn(report)).toEqual([])
})

test.for([
  {
    name: 'public',
    headers: { 'Cache-Control': 'public, max-age=300', 'X-Robots-Tag': 'noindex' },
    found: [problem('fault', 'privacy', /does not contain "private"/)],
  },
  {
    name: 'listed',
    headers: { 'Cache-Control': 'private' },
    found: [problem('fault', 'privacy', /does not contain "noindex"/)],
  },
  {
    name: 'private',
    headers: { 'Cache-Control': 'private, no-cache', 'X-Robots-Tag': 'noindex' },
    found: [],
  },
])('checks the headers of a $name feed link', async ({ headers, found }) => {
  const report = await reportOf(feed({ headers }), { path: `/l/${key}/events.ics` })
  expect(problemsIn(report)).toEqual(found)
})

const bodies = {
  rss: '<rss version="2.0"><channel></channel></rss>',
  atom: '<feed xmlns="http://www.w3.org/2005/Atom"></feed>',
  json: '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
}

test.for<[format: keyof typeof bodies, type: string]>([
  ['rss', 'application/rss+xml'],
  ['rss', 'application/xml'],
  ['rss', 'text/xml'],
  ['atom', 'application/atom+xml'],
  ['atom', 'application/xml'],
  ['atom', 'text/xml'],
  ['json', 'application/feed+json'],
  ['json', 'application/json'],
])('accepts a feed (%s) with the content type %s', async ([format, type]) => {
  const listener = feed({ body: bodies[format], headers: { 'Content-Type': type } })
  expect(problemsIn(await reportOf(listener))).toEqual([])
})
