import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { contentFrom } from '../../src/check/feed-content.ts'

const golden = resolve(import.meta.dirname, '../golden')

const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const entry = (...lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']

test.for([
  { file: 'events.ics', kind: 'calendar' },
  { file: 'signup.full.ics', kind: 'calendar' },
  { file: 'news.rss', kind: 'RSS' },
  { file: 'news.atom', kind: 'Atom' },
  { file: 'news.json', kind: 'JSON Feed' },
])('recognizes $file and finds no fault in it', ({ file, kind }) => {
  const content = contentFrom(readFileSync(join(golden, file), 'utf8'))
  expect(content).toEqual({ kind, entries: expect.any(Number), fault: undefined })
  expect(content).not.toMatchObject({ entries: 0 })
})

describe('a calendar', () => {
  test.for([
    { name: 'without entries', text: calendar(), entries: 0 },
    { name: 'with folded lines', text: calendar(...entry('UID:1', 'SUMMARY:a', ' b')), entries: 1 },
    {
      name: 'with a moved occurrence',
      text: calendar(...entry('UID:1'), ...entry('UID:1', 'RECURRENCE-ID:20260301T100000Z')),
      entries: 2,
    },
    {
      name: 'with a quoted parameter that contains a colon',
      text: calendar(...entry('UID:1', 'ATTENDEE;CN="A: b":mailto:a@example.org')),
      entries: 1,
    },
    {
      name: 'with line feeds only',
      text: calendar(...entry('UID:1')).replaceAll('\r', ''),
      entries: 1,
    },
  ])('$name has no fault', ({ text, entries }) => {
    expect(contentFrom(text)).toEqual({ kind: 'calendar', entries, fault: undefined })
  })

  test.for([
    {
      fault: 'END:VEVENT is missing, so it is cut off',
      text: calendar('BEGIN:VEVENT').slice(0, 42),
    },
    { fault: 'END:VCALENDAR is missing, so it is cut off', text: 'BEGIN:VCALENDAR\r\nVERSION:2.0' },
    { fault: 'line 3 is not a calendar property', text: calendar('Hello') },
    { fault: 'line 6 is not a calendar property', text: calendar('X-A:1', ' 2', ' 3', 'bad') },
    { fault: 'it continues after END:VCALENDAR', text: calendar() + calendar() },
    { fault: 'line 3 ends a component that is not open', text: calendar('END:VEVENT') },
    { fault: 'an entry has no UID', text: calendar(...entry('SUMMARY:a')) },
    {
      fault: 'two entries have the same UID',
      text: calendar(...entry('UID:1'), ...entry('UID:1')),
    },
    { fault: 'VERSION:2.0 is missing', text: calendar().replace('2.0', '1.0') },
    { fault: 'it starts with a byte order mark', text: `\uFEFF${calendar()}` },
  ])('is damaged: $fault', ({ fault, text }) => {
    const found = contentFrom(text)
    expect(found).toMatchObject({
      kind: 'calendar',
      fault: expect.stringContaining(fault),
    })
  })
})

test.for([
  {
    kind: 'RSS',
    text: '<rss><channel><item></item>',
    fault: 'the element <channel> is not closed',
  },
  { kind: 'RSS', text: '<rss><channel><title>a</channel></rss>', fault: '<title> is not closed' },
  { kind: 'RSS', text: '<rss><channel><a x="1"/>', fault: 'the element <channel> is not closed' },
  { kind: 'Atom', text: '<feed><entry>', fault: 'the element <entry> is not closed' },
  { kind: 'JSON Feed', text: '{"version":', fault: 'it is not valid JSON' },
])('finds the fault in $kind: $text', ({ kind, text, fault }) => {
  expect(contentFrom(text)).toMatchObject({ kind, fault: expect.stringContaining(fault) })
})

test.for(['', 'Service starting', '{"error":"token"}', '{}'])('does not recognize %j', (text) => {
  expect(contentFrom(text)).toEqual({ kind: 'unknown' })
})

test('reads the title, the feeds and the password field of a web page', () => {
  const page = `<!doctype html><title>Sign
    in</title><link rel="alternate" type="text/calendar" href="a.ics">
    <link rel="alternate" type="text/html" href="de.html"><input type="password">
    <svg><title>Icon</title></svg>`
  expect(contentFrom(page)).toEqual({
    kind: 'web page',
    title: 'Sign in',
    hasPassword: true,
    feeds: ['a.ics'],
  })
})
