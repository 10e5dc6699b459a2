import { expect, test } from 'vitest'
import { evaluate, lastModifiedAt } from '../../src/front/conditional.ts'

/** Two encodings. Brotli is preferred. */
const etags = () => ['"br"', '"gz"']
const lastModified = 'Thu, 05 Mar 2026 15:00:00 GMT'
const now = Date.parse('2026-03-05T17:00:00Z')

test.for([
  ['', '200 "br"'],
  ['If-None-Match: "br"', '304 "br"'],
  ['If-None-Match: W/"br"', '304 "br"'],
  ['If-None-Match: "x", W/"br" ,"y"', '304 "br"'],
  ['If-None-Match: "gz"', '304 "gz"'],
  ['If-None-Match: "gz", "br"', '304 "br"'],
  ['If-None-Match:  * ', '304 "br"'],
  ['If-None-Match: "x"', '200 "br"'],
  ['If-None-Match: ', '200 "br"'],
  ['If-None-Match: br', '200 "br"'],
  ['If-None-Match: "br', '200 "br"'],
  ['If-Modified-Since: Thu, 05 Mar 2026 15:00:00 GMT', '304 "br"'],
  ['If-Modified-Since: Thu, 05 Mar 2026 16:00:00 GMT', '304 "br"'],
  // A time in the future.
  ['If-Modified-Since: Thu, 05 Mar 2026 17:00:01 GMT', '200 "br"'],
  ['If-Modified-Since: Thu, 05 Mar 2026 14:59:59 GMT', '200 "br"'],
  // RFC 850, asctime, and invalid formats.
  ['If-Modified-Since: Thursday, 05-Mar-26 15:00:00 GMT', '304 "br"'],
  ['If-Modified-Since: Thu Mar  5 15:00:00 2026', '304 "br"'],
  ['If-Modified-Since: 2026-03-05T16:00:00Z', '200 "br"'],
  ['If-Modified-Since: yesterday', '200 "br"'],
  ['If-Modified-Since: Thu, 05 Mar 2026 15:00:00 +0000', '200 "br"'],
  ['If-Modified-Since: Thu, 05 Mar 2026 25:00:00 GMT', '200 "br"'],
  // Days that do not exist.
  ['If-Modified-Since: Wed, 05 Mar 2026 15:00:00 GMT', '200 "br"'],
  ['If-Modified-Since: Foo, 05 Mar 2026 15:00:00 GMT', '200 "br"'],
  ['If-Modified-Since: Thursday, 04-Mar-26 24:00:00 GMT', '200 "br"'],
  ['If-Unmodified-Since: Tue, 31 Feb 2026 15:00:00 GMT', '200 "br"'],
  ['If-Unmodified-Since: Tue Feb 31 15:00:00 2026', '200 "br"'],
  ['If-Unmodified-Since: Thu, 01 Mar 0001 00:00:00 GMT', '412 none'],
  ['If-None-Match: "x"; If-Modified-Since: Thu, 05 Mar 2026 15:00:00 GMT', '200 "br"'],
  ['If-None-Match: "br"; If-Modified-Since: Thu, 05 Mar 2026 14:59:59 GMT', '304 "br"'],
  ['If-Match: "x", "gz"', '200 "br"'],
  ['If-Match: *', '200 "br"'],
  ['If-Match: "x"', '412 none'],
  ['If-Match: W/"br"', '412 none'],
  ['If-Match: "x"; If-None-Match: "br"', '412 none'],
  ['If-Match: "br"; If-None-Match: "br"', '304 "br"'],
  ['If-Unmodified-Since: Thu, 05 Mar 2026 15:00:00 GMT', '200 "br"'],
  ['If-Unmodified-Since: Thu, 05 Mar 2026 16:00:00 GMT', '200 "br"'],
  ['If-Unmodified-Since: Thu, 05 Mar 2026 14:59:59 GMT', '412 none'],
  ['If-Match: "br"; If-Unmodified-Since: Thu, 05 Mar 2026 14:59:59 GMT', '200 "br"'],
  ['If-Unmodified-Since: never', '200 "br"'],
])('a request with "%s" gets the response %s', ([conditions = '', answer]) => {
  const fields = conditions === '' ? [] : conditions.split('; ').map((field) => field.split(': '))
  const headers = Object.fromEntries(
    fields.map(([name = '', value]) => [name.toLowerCase(), value]),
  )
  const outcome = evaluate(headers, { etags, lastModified }, now)
  const etags200 = { 200: '"br"', 412: 'none' }
  const etag = outcome.status === 304 ? outcome.etag : etags200[outcome.status]
  expect(`${outcome.status} ${etag}`).toBe(answer)
})

test('an empty If-Modified-Since does not match a response without a date', () => {
  const outcome = evaluate({ 'if-modified-since': '' }, { etags: () => [], lastModified: '' }, now)
  expect(outcome).toEqual({ status: 200 })
})

const instantOf = (clock: string) => Date.parse(`2026-03-05T${clock}Z`)

test.for([
  ['14:59:59.999', undefined, ''],
  ['15:00:00.000', undefined, ''],
  ['15:00:00.999', undefined, ''],
  ['15:00:01.000', undefined, '15:00:00'],
  ['15:00:02.500', '14:00:00.000', '15:00:00'],
  ['15:00:02.500', '15:00:00.900', '15:00:00'],
  ['15:00:02.500', '15:00:01.900', '15:00:01'],
  ['15:00:02.500', '15:00:02.100', ''],
  ['15:00:02.500', '15:00:09.000', ''],
] as const)('at %s, a URL that changed at %s has the date "%s"', ([time, changed, expected]) => {
  const date = lastModifiedAt(lastModified, changed && instantOf(changed), instantOf(time))
  expect(date).toBe(expected && `Thu, 05 Mar 2026 ${expected} GMT`)
})
