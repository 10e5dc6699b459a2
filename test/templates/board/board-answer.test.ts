import { expect, test } from 'vitest'
import { readAnswer } from '../../../templates/board/board-answer.js'

const date = 'Thu, 05 Mar 2026 15:00:00 GMT'
const time = Date.parse(date)
const readAt = time - 60_000
const intervalMs = 300_000
const file = { feedhouse: 'board', version: 'v', readAt, intervalMs, items: [] }

const answer = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })

test.for([
  ['the Date header', { Date: date }, time],
  ['the Date header plus its age in a cache', { Date: date, Age: '90' }, time + 90_000],
  ['only the Date header if the age is invalid', { Date: date, Age: 'old' }, time],
] as const)(
  'reads the time at the host of a static file from %s',
  async ([, headers, expected]) => {
    const read = await readAnswer(answer(file, headers), true)
    expect(read).toEqual({ time: expected, readAt, intervalMs, version: 'v', items: [] })
  },
)

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

test('reads the times in a response from the service, and whether a link has ended', async () => {
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
