import { describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { contentFrom } from '../../src/check/feed-content.ts'

type Fault = { readonly fault?: string }

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
    ['without entries', calendar(), 0],
    ['with folded lines', calendar(...entry('UID:1', 'SUMMARY:a', ' b')), 1],
    [
      'with a moved occurrence',
      calendar(...entry('UID:1'), ...entry('UID:1', 'RECURRENCE-ID:20260301T100000Z')),
      2,
    ],
    [
      'with a quoted parameter that contains a colon',
      calendar(...entry('UID:1', 'ATTENDEE;CN="A: b":mailto:a@example.org')),
      1,
    ],
    ['with line feeds only', calendar(...entry('UID:1')).replaceAll('\r', ''), 1],
  ] as const)('%s has no fault', ([, text, entries]) => {
    expect(contentFrom(text)).toEqual({ kind: 'calendar', entries, fault: undefined })
  })
  test.for([
    ['END:VEVENT is missing, so it is cut off', calendar('BEGIN:VEVENT').slice(0, 42)],
    ['END:VCALENDAR is missing, so it is cut off', 'BEGIN:VCALENDAR\r\nVERSION:2.0'],
    ['line 3 is not a calendar property', calendar('Hello')],
    ['line 6 is not a calendar property', calendar('X-A:1', ' 2', ' 3', 'bad')],
    ['it continues after END:VCALENDAR', calendar() + calendar()],
    ['line 3 ends a component that is not open', calendar('END:VEVENT')],
    ['an entry has no UID', calendar(...entry('SUMMARY:a'))],
    ['two entries have the same UID', calendar(...entry('UID:1'), ...entry('UID:1'))],
    ['VERSION:2.0 is missing', calendar().replace('2.0', '1.0')],
    ['it starts with a byte order mark', `\uFEFF${calendar()}`],
  ] as const)('is damaged: %s', ([fault, text]) => {
    const said = expect.stringContaining(fault)
    expect(contentFrom(text)).toMatchObject({ kind: 'calendar', fault: said })
  })
})

test.for([
  ['RSS', '<rss><channel><item></item>', 'the element <channel> is not closed'],
  ['RSS', '<rss><channel><title>a</channel></rss>', '<title> is not closed'],
  ['RSS', '<rss><channel><a x="1"/>', 'the element <channel> is not closed'],
  ['Atom', '<feed><entry>', 'the element <entry> is not closed'],
  ['JSON Feed', '{"version":', 'it is not valid JSON'],
] as const)('finds the fault in %s: %s', ([kind, text, fault]) => {
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

test('stops reading at too many levels', () => {
  expect(contentFrom(`<rss>${'<item>'.repeat(5_000)}`)).toEqual({
    kind: 'RSS',
    entries: 1_000,
    fault: expect.stringContaining('the element <item> is not closed'),
  })
  const link = '<link rel="alternate" type="text/calendar" href="a.ics">'
  const page = `<html>${'<div>'.repeat(5_000)}${link}`
  expect(contentFrom(page)).toMatchObject({ kind: 'web page', feeds: [] })
})

test('shortens the name of a component that is cut off', () => {
  const { fault = '' } = contentFrom(`BEGIN:VCALENDAR\r\nBEGIN:${'X'.repeat(5_000)}`) as Fault
  expect(fault.length).toBeLessThan(300)
})
