import { expect, test } from 'vitest'
import { evaluate } from '../../../src/http/feeds/conditional.ts'

type Encoding = { readonly etag: string }

/** Two encodings; the brotli one is sent first. */
const accepted = [{ etag: '"br"' }, { etag: '"gz"' }] satisfies [Encoding, Encoding]
const lastModified = 'Thu, 05 Mar 2026 15:00:00 GMT'
const [earlier, later] = ['Thu, 05 Mar 2026 14:59:59 GMT', 'Thu, 05 Mar 2026 16:00:00 GMT']

test.for([
  { name: 'nothing', headers: {}, answer: '200 "br"' },
  { name: 'the tag', headers: { 'if-none-match': '"br"' }, answer: '304 "br"' },
  { name: 'the tag, weakened', headers: { 'if-none-match': 'W/"br"' }, answer: '304 "br"' },
  {
    name: 'a list with the tag',
    headers: { 'if-none-match': '"x", W/"br" ,"y"' },
    answer: '304 "br"',
  },
  { name: 'the tag of another encoding', headers: { 'if-none-match': '"gz"' }, answer: '304 "gz"' },
  { name: 'both tags', headers: { 'if-none-match': '"gz", "br"' }, answer: '304 "br"' },
  { name: 'any tag', headers: { 'if-none-match': ' * ' }, answer: '304 "br"' },
  { name: 'another tag', headers: { 'if-none-match': '"x"' }, answer: '200 "br"' },
  { name: 'an empty list', headers: { 'if-none-match': '' }, answer: '200 "br"' },
  { name: 'the tag without quotes', headers: { 'if-none-match': 'br' }, answer: '200 "br"' },
  { name: 'half a tag', headers: { 'if-none-match': '"br' }, answer: '200 "br"' },
  {
    name: 'the time of change',
    headers: { 'if-modified-since': lastModified },
    answer: '304 "br"',
  },
  { name: 'a later time', headers: { 'if-modified-since': later }, answer: '304 "br"' },
  { name: 'an earlier time', headers: { 'if-modified-since': earlier }, answer: '200 "br"' },
  {
    name: 'the time in an older form',
    headers: { 'if-modified-since': 'Thursday, 05-Mar-26 15:00:00 GMT' },
    answer: '304 "br"',
  },
  {
    name: 'the time as C writes it',
    headers: { 'if-modified-since': 'Thu Mar  5 15:00:00 2026' },
    answer: '304 "br"',
  },
  {
    name: 'a time that HTTP does not know',
    headers: { 'if-modified-since': '2026-03-05T16:00:00Z' },
    answer: '200 "br"',
  },
  { name: 'no time at all', headers: { 'if-modified-since': 'yesterday' }, answer: '200 "br"' },
  {
    name: 'another tag with the time of change',
    headers: { 'if-none-match': '"x"', 'if-modified-since': lastModified },
    answer: '200 "br"',
  },
  {
    name: 'the tag with an earlier time',
    headers: { 'if-none-match': '"br"', 'if-modified-since': earlier },
    answer: '304 "br"',
  },
  { name: 'the tag to be there', headers: { 'if-match': '"x", "gz"' }, answer: '200 "br"' },
  { name: 'anything to be there', headers: { 'if-match': '*' }, answer: '200 "br"' },
  { name: 'another tag to be there', headers: { 'if-match': '"x"' }, answer: '412 none' },
  { name: 'the weakened tag to be there', headers: { 'if-match': 'W/"br"' }, answer: '412 none' },
  {
    name: 'another tag to be there, and none of this',
    headers: { 'if-match': '"x"', 'if-none-match': '"br"' },
    answer: '412 none',
  },
  {
    name: 'the tag to be there, and none of this',
    headers: { 'if-match': '"br"', 'if-none-match': '"br"' },
    answer: '304 "br"',
  },
  { name: 'no change since', headers: { 'if-unmodified-since': lastModified }, answer: '200 "br"' },
  { name: 'no later change', headers: { 'if-unmodified-since': later }, answer: '200 "br"' },
  {
    name: 'no change since before it',
    headers: { 'if-unmodified-since': earlier },
    answer: '412 none',
  },
  {
    name: 'the tag to be there, whenever it changed',
    headers: { 'if-match': '"br"', 'if-unmodified-since': earlier },
    answer: '200 "br"',
  },
  {
    name: 'no change since an impossible time',
    headers: { 'if-unmodified-since': 'never' },
    answer: '200 "br"',
  },
])('$name: $answer', ({ headers, answer }) => {
  const outcome = evaluate<Encoding>(headers, { accepted, lastModified })
  const etag = outcome.status === 412 ? 'none' : outcome.encoding.etag
  expect(`${outcome.status} ${etag}`).toBe(answer)
})
