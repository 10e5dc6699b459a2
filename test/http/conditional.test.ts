import { expect, test } from 'vitest'
import { isNotModified } from '../../src/http/conditional.ts'

const validators = { etag: '"abc"', lastModified: Date.parse('2026-03-05T15:00:00.700Z') }

test.for([
  { name: 'nothing', headers: {}, notModified: false },
  { name: 'the tag', headers: { 'if-none-match': '"abc"' }, notModified: true },
  { name: 'the tag, weakened', headers: { 'if-none-match': 'W/"abc"' }, notModified: true },
  {
    name: 'a list with the tag',
    headers: { 'if-none-match': '"x", W/"abc" ,"y"' },
    notModified: true,
  },
  { name: 'any tag', headers: { 'if-none-match': '*' }, notModified: true },
  { name: 'another tag', headers: { 'if-none-match': '"x"' }, notModified: false },
  { name: 'the tag without quotes', headers: { 'if-none-match': 'abc' }, notModified: false },
  {
    name: 'the time of change',
    headers: { 'if-modified-since': 'Thu, 05 Mar 2026 15:00:00 GMT' },
    notModified: true,
  },
  {
    name: 'a later time',
    headers: { 'if-modified-since': 'Thu, 05 Mar 2026 16:00:00 GMT' },
    notModified: true,
  },
  {
    name: 'an earlier time',
    headers: { 'if-modified-since': 'Thu, 05 Mar 2026 14:59:59 GMT' },
    notModified: false,
  },
  {
    name: 'the time as RFC 850 wrote it',
    headers: { 'if-modified-since': 'Thursday, 05-Mar-26 15:00:00 GMT' },
    notModified: true,
  },
  {
    name: 'the time as asctime writes it',
    headers: { 'if-modified-since': 'Thu Mar  5 15:00:00 2026' },
    notModified: true,
  },
  { name: 'no time at all', headers: { 'if-modified-since': 'yesterday' }, notModified: false },
  { name: 'a year alone', headers: { 'if-modified-since': '2099' }, notModified: false },
  {
    name: 'a time that is not of HTTP',
    headers: { 'if-modified-since': '2099-03-05T15:00:00Z' },
    notModified: false,
  },
  {
    name: 'another tag and the time of change',
    headers: { 'if-none-match': '"x"', 'if-modified-since': 'Thu, 05 Mar 2026 15:00:00 GMT' },
    notModified: false,
  },
  {
    name: 'the tag and no-cache',
    headers: { 'if-none-match': '"abc"', 'cache-control': 'no-cache' },
    notModified: true,
  },
])('a request with $name is answered with 304: $notModified', ({ headers, notModified }) => {
  expect(isNotModified(headers, validators)).toBe(notModified)
})
