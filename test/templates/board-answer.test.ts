import { expect, test } from 'vitest'
import { readAnswer } from '../../templates/board-answer.js'

const date = 'Thu, 05 Mar 2026 15:00:00 GMT'
const time = Date.parse(date)
const readAt = time - 60_000
const intervalMs = 300_000
const file = { feedhouse: 'board', version: 'v', readAt, intervalMs, items: [] }

const answer = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

test.for([
  ['by the Date header', { Date: date }, time],
  ['plus its age in a cache', { Date: date, Age: '90' }, time + 90_000],
  ['ignoring an invalid age', { Date: date, Age: 'old' }, time],
] as const)('reads the time of a file’s host from %s', async ([, headers, expected]) => {
  const read = await readAnswer(answer(file, headers), true)
  expect(read).toEqual({ time: expected, readAt, intervalMs, version: 'v', items: [] })
})

test.for([
  ['a login page', answer('<h1>Sign in</h1>', { Date: date }), true],
  ['a list of something else', answer([], { Date: date }), true],
  ["a host's 404 page", answer('Not found', { Date: date }, 404), true],
  ['a file instead of the service', answer(file, { Date: date }), false],
  ['a login page instead of the service', answer('[]', {}, 200), false],
  ['an outage', answer('Later', { 'Board-Time': date }, 503), false],
] as const)('rejects %s', async ([, response, isFile]) => {
  await expect(readAnswer(response, isFile)).rejects.toThrow(/^status \d+|not valid JSON/)
})

test('reads the times from the service, and the end of a link', async () => {
  const read = new Date(readAt).toUTCString()
  const headers = {
    'Board-Time': date,
    'Board-Read': read,
    'Board-Interval': '300',
    'Board-Version': 'v',
  }
  const expected = { time, readAt, intervalMs, version: 'v', items: [] }
  expect(await readAnswer(answer([], headers), false)).toEqual(expected)
  expect(await readAnswer(answer('Gone.', headers, 410), false)).toEqual({
    over: 'Gone.',
    hasEnded: true,
  })
  expect(await readAnswer(answer('Not yours.', headers, 403), false)).toEqual({
    over: 'Not yours.',
    hasEnded: false,
  })
})
