import { expect, test } from 'vitest'
import { evaluate } from '../../../src/http/front/conditional.ts'

/** Two encodings, of which Brotli is preferred. */
const etags = ['"br"', '"gz"']
const lastModified = 'Thu, 05 Mar 2026 15:00:00 GMT'
const [earlier, later] = ['Thu, 05 Mar 2026 14:59:59 GMT', 'Thu, 05 Mar 2026 16:00:00 GMT']
const now = Date.parse('2026-03-05T17:00:00Z')

test.for([
  { name: 'no conditions', headers: {}, answer: '200 "br"' },
  { name: 'If-None-Match with the ETag', headers: { 'if-none-match': '"br"' }, answer: '304 "br"' },
  {
    name: 'If-None-Match with the weak ETag',
    headers: { 'if-none-match': 'W/"br"' },
    answer: '304 "br"',
  },
  {
    name: 'If-None-Match with a list that contains the ETag',
    headers: { 'if-none-match': '"x", W/"br" ,"y"' },
    answer: '304 "br"',
  },
  {
    name: 'If-None-Match with the ETag of another encoding',
    headers: { 'if-none-match': '"gz"' },
    answer: '304 "gz"',
  },
  {
    name: 'If-None-Match with both ETags',
    headers: { 'if-none-match': '"gz", "br"' },
    answer: '304 "br"',
  },
  { name: 'If-None-Match with *', headers: { 'if-none-match': ' * ' }, answer: '304 "br"' },
  {
    name: 'If-None-Match with another ETag',
    headers: { 'if-none-match': '"x"' },
    answer: '200 "br"',
  },
  {
    name: 'If-None-Match with an empty list',
    headers: { 'if-none-match': '' },
    answer: '200 "br"',
  },
  {
    name: 'If-None-Match with the ETag without quotes',
    headers: { 'if-none-match': 'br' },
    answer: '200 "br"',
  },
  {
    name: 'If-None-Match with an unterminated ETag',
    headers: { 'if-none-match': '"br' },
    answer: '200 "br"',
  },
  {
    name: 'If-Modified-Since with the time of the change',
    headers: { 'if-modified-since': lastModified },
    answer: '304 "br"',
  },
  {
    name: 'If-Modified-Since with a later time',
    headers: { 'if-modified-since': later },
    answer: '304 "br"',
  },
  {
    name: 'If-Modified-Since with a time in the future',
    headers: { 'if-modified-since': 'Thu, 05 Mar 2026 17:00:01 GMT' },
    answer: '200 "br"',
  },
  {
    name: 'If-Modified-Since with an earlier time',
    headers: { 'if-modified-since': earlier },
    answer: '200 "br"',
  },
  {
    name: 'If-Modified-Since in RFC 850 format',
    headers: { 'if-modified-since': 'Thursday, 05-Mar-26 15:00:00 GMT' },
    answer: '304 "br"',
  },
  {
    name: 'If-Modified-Since in asctime format',
    headers: { 'if-modified-since': 'Thu Mar  5 15:00:00 2026' },
    answer: '304 "br"',
  },
  {
    name: 'If-Modified-Since in ISO 8601 format',
    headers: { 'if-modified-since': '2026-03-05T16:00:00Z' },
    answer: '200 "br"',
  },
  {
    name: 'If-Modified-Since with an invalid time',
    headers: { 'if-modified-since': 'yesterday' },
    answer: '200 "br"',
  },
  {
    name: 'If-None-Match with another ETag, If-Modified-Since with the time of the change',
    headers: { 'if-none-match': '"x"', 'if-modified-since': lastModified },
    answer: '200 "br"',
  },
  {
    name: 'If-None-Match with the ETag, If-Modified-Since with an earlier time',
    headers: { 'if-none-match': '"br"', 'if-modified-since': earlier },
    answer: '304 "br"',
  },
  {
    name: 'If-Match with a list that contains the ETag',
    headers: { 'if-match': '"x", "gz"' },
    answer: '200 "br"',
  },
  { name: 'If-Match with *', headers: { 'if-match': '*' }, answer: '200 "br"' },
  { name: 'If-Match with another ETag', headers: { 'if-match': '"x"' }, answer: '412 none' },
  { name: 'If-Match with the weak ETag', headers: { 'if-match': 'W/"br"' }, answer: '412 none' },
  {
    name: 'If-Match with another ETag, If-None-Match with the ETag',
    headers: { 'if-match': '"x"', 'if-none-match': '"br"' },
    answer: '412 none',
  },
  {
    name: 'If-Match and If-None-Match with the ETag',
    headers: { 'if-match': '"br"', 'if-none-match': '"br"' },
    answer: '304 "br"',
  },
  {
    name: 'If-Unmodified-Since with the time of the change',
    headers: { 'if-unmodified-since': lastModified },
    answer: '200 "br"',
  },
  {
    name: 'If-Unmodified-Since with a later time',
    headers: { 'if-unmodified-since': later },
    answer: '200 "br"',
  },
  {
    name: 'If-Unmodified-Since with an earlier time',
    headers: { 'if-unmodified-since': earlier },
    answer: '412 none',
  },
  {
    name: 'If-Match with the ETag, If-Unmodified-Since with an earlier time',
    headers: { 'if-match': '"br"', 'if-unmodified-since': earlier },
    answer: '200 "br"',
  },
  {
    name: 'If-Unmodified-Since with an invalid time',
    headers: { 'if-unmodified-since': 'never' },
    answer: '200 "br"',
  },
])('a request with $name gets the response $answer', ({ headers, answer }) => {
  const outcome = evaluate(headers, { etags, lastModified }, now)
  const etags200 = { 200: '"br"', 412: 'none' }
  const etag = outcome.status === 304 ? outcome.etag : etags200[outcome.status]
  expect(`${outcome.status} ${etag}`).toBe(answer)
})

test('an empty If-Modified-Since does not match a response without a date', () => {
  const outcome = evaluate({ 'if-modified-since': '' }, { etags: [], lastModified: '' }, now)
  expect(outcome).toEqual({ status: 200 })
})
