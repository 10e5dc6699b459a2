/* Requests for a feed with their expected responses. */

export type Case = {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  readonly expected: {
    readonly status: 200 | 304 | 412
    /** Encoding of the tag and the body. */
    readonly encoding?: Encoding
  }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/** In headers, `{br}` and the like stand for tags, `{date}` for the time of the last change. */
export const accepting = (value: string) => ({ 'Accept-Encoding': value })
const whole = (encoding: Encoding) => ({ status: 200, encoding }) as const
const unchanged = (encoding: Encoding) => ({ status: 304, encoding }) as const
const failed = { status: 412 } as const
const past = 'Thu, 01 Jan 2026 00:00:00 GMT'
const future = 'Fri, 01 Jan 2027 00:00:00 GMT'

export const feedRequests: readonly Case[] = [
  { name: 'nothing', headers: {}, expected: whole('identity') },
  {
    name: 'all that browsers take',
    headers: accepting('gzip, deflate, br, zstd'),
    expected: whole('br'),
  },
  { name: 'gzip', headers: accepting('gzip'), expected: whole('gzip') },
  { name: 'x-gzip', headers: accepting('X-GZIP'), expected: whole('gzip') },
  { name: 'anything', headers: accepting('*'), expected: whole('br') },
  {
    name: 'gzip rather than br',
    headers: accepting('br;q=0.1, gzip;q=0.2'),
    expected: whole('gzip'),
  },
  { name: 'no br', headers: accepting('br;q=0, *'), expected: whole('gzip') },
  { name: 'no gzip', headers: accepting('gzip;q=0'), expected: whole('identity') },
  {
    name: 'nothing compressed',
    headers: accepting('*;q=0, identity'),
    expected: whole('identity'),
  },
  { name: 'not as it is', headers: accepting('identity;q=0, gzip'), expected: whole('gzip') },
  {
    name: 'only what we have not',
    headers: accepting('zstd, identity;q=0'),
    expected: whole('identity'),
  },
  { name: 'an empty list', headers: accepting(''), expected: whole('identity') },
  { name: 'its tag', headers: { 'If-None-Match': '{identity}' }, expected: unchanged('identity') },
  {
    name: 'its tag, weakened',
    headers: { 'If-None-Match': 'W/{identity}' },
    expected: unchanged('identity'),
  },
  {
    name: 'its tag in a list',
    headers: { 'If-None-Match': '"a", W/{identity} , "b"' },
    expected: unchanged('identity'),
  },
  { name: 'any tag', headers: { 'If-None-Match': '*' }, expected: unchanged('identity') },
  { name: 'another tag', headers: { 'If-None-Match': '"a"' }, expected: whole('identity') },
  { name: 'no tag', headers: { 'If-None-Match': 'a' }, expected: whole('identity') },
  {
    name: 'the tag of gzip, taken',
    headers: { ...accepting('gzip'), 'If-None-Match': '{gzip}' },
    expected: unchanged('gzip'),
  },
  {
    name: 'the tag of gzip, with br taken too',
    headers: { ...accepting('gzip, br'), 'If-None-Match': '{gzip}' },
    expected: unchanged('gzip'),
  },
  {
    name: 'the tag of gzip, not taken',
    headers: { 'If-None-Match': '{gzip}' },
    expected: whole('identity'),
  },
  {
    name: 'the tag of identity, with gzip taken',
    headers: { ...accepting('gzip'), 'If-None-Match': '{identity}' },
    expected: unchanged('identity'),
  },
  {
    name: 'the tag of identity, which is not taken',
    headers: { ...accepting('gzip, identity;q=0'), 'If-None-Match': '{identity}' },
    expected: whole('gzip'),
  },
  {
    name: 'its tag and no-cache',
    headers: { 'If-None-Match': '{identity}', 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
    expected: unchanged('identity'),
  },
  {
    name: 'the time of its change',
    headers: { 'If-Modified-Since': '{date}' },
    expected: unchanged('identity'),
  },
  {
    name: 'a later time',
    headers: { 'If-Modified-Since': future },
    expected: unchanged('identity'),
  },
  { name: 'an earlier time', headers: { 'If-Modified-Since': past }, expected: whole('identity') },
  {
    name: 'a time nobody can read',
    headers: { 'If-Modified-Since': 'Thu, 99 Foo 2027' },
    expected: whole('identity'),
  },
  {
    name: 'another tag and a later time',
    headers: { 'If-None-Match': '"a"', 'If-Modified-Since': future },
    expected: whole('identity'),
  },
  {
    name: 'its tag and an earlier time',
    headers: { 'If-None-Match': '{identity}', 'If-Modified-Since': past },
    expected: unchanged('identity'),
  },
  {
    name: 'its tag to be there',
    headers: { 'If-Match': '{identity}' },
    expected: whole('identity'),
  },
  {
    name: 'its weakened tag to be there',
    headers: { 'If-Match': 'W/{identity}' },
    expected: failed,
  },
  { name: 'another tag to be there', headers: { 'If-Match': '"a"' }, expected: failed },
  { name: 'no change since long ago', headers: { 'If-Unmodified-Since': past }, expected: failed },
  {
    name: 'no change since its last one',
    headers: { 'If-Unmodified-Since': '{date}' },
    expected: whole('identity'),
  },
  {
    name: 'a range',
    headers: { Range: 'bytes=0-9', 'If-Range': '{identity}' },
    expected: whole('identity'),
  },
]
