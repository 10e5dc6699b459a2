import { expect, test } from 'vitest'
import type { CacheFields } from '../../src/front/cache-fields.ts'
import { cachedCoding, cachedResponse } from '../../src/front/cached-response.ts'

const fields: CacheFields = {
  site: 'a',
  representation: 'b',
  tags: [],
  use: '[]',
  maxAgeMs: 0,
  staleWhileRevalidateMs: 0,
  staleIfErrorMs: 0,
  timeField: 'Board-Time',
}

const keptOf = (sent: Readonly<Record<string, string>>) => {
  const headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const response = { rawHeaders: Object.entries(sent).flat(), headers }
  const coding = cachedCoding(response)
  const body = Buffer.from('a')
  return (
    coding && cachedResponse(response, { body, coding }, fields, { now: { at: 0, elapsed: 0 } })
  )
}

const cacheable = { ETag: '"a"', 'Cache-Control': 'public', 'Content-Type': 'text/calendar' }

test.for([
  // Set by Node, or about one connection only (RFC 9110 7.6.1).
  'Date',
  'Connection',
  'Keep-Alive',
  'Transfer-Encoding',
  // About one response only (RFC 9111 5.1).
  'Age',
  // For the front only.
  'Feedhouse-Cache-Control',
  'Feedhouse-Tags',
  // Sent with the time of each response.
  'Board-Time',
  // Sent with the value of each URL.
  'Feedhouse-Unknown-Parameters',
])('does not keep %s with a response', (name) => {
  const kept = keptOf({ ...cacheable, [name]: 'zqvaluezq' })
  const { ETag: _, ...others } = cacheable
  expect(kept?.head).toEqual(Object.entries(others).flat())
  expect(kept?.notModifiedHead).toEqual(['Cache-Control', 'public'])
})

test.for([
  ['a weak ETag', { ETag: 'W/"a"' }],
  ['no ETag', { ETag: '' }],
  ['a cookie', { 'Set-Cookie': 'a=b' }],
  ['another variant than by encoding', { Vary: 'Accept-Language' }],
  ['an unknown encoding', { 'Content-Encoding': 'compress' }],
] as const)('does not keep a response with %s', ([, changed]) => {
  expect(keptOf({ ...cacheable, ...changed })).toBeUndefined()
})
