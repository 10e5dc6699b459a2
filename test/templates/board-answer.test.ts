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
  ['by its clock', { Date: date }, time],
  ['and how long a cache has kept it', { Date: date, Age: '90' }, time + 90_000],
  ['ignoring an invalid age', { Date: date, Age: 'old' }, time],
] as const)("a file's time is its host's, %s", async ([, headers, expected]) => {
  const read = await readAnswer(answer(file, headers), true)
  expect(read).toEqual({ time: expected, readAt, intervalMs, version: 'v', items: [] })
})

test.for([
  ['a login', answer('<h1>Sign in</h1>', { Date: date }), true],
  ['another list', answer([], { Date: date }), true],
  ['the 404 page of a host', answer('Not found', { Date: date }, 404), true],
  ['a file in place of the service', answer(file, { Date: date }), false],
  ['a login in place of the service', answer('[]', {}, 200), false],
  ['an outage', answer('Later', { 'Board-Time': date }, 503), false],
] as const)('rejects %s', async ([, response, isFile]) => {
  await expect(readAnswer(response, isFile)).rejects.toThrow(/answered|not valid JSON/)
})

test("reads the service's times, and the end of a link", async () => {
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
