/* Requests for a feed, each with the expected response. */

export type Case = {
  readonly name: string
  /**
   * Headers to send. Placeholders such as `{br}` stand for ETags, and `{date}` stands for
   * Last-Modified.
   */
  readonly headers: Readonly<Record<string, string>>
  readonly expected: {
    readonly status: 200 | 304 | 412
    /** Encoding of the ETag and the body. */
    readonly encoding?: Encoding
  }
}

export type Encoding = 'identity' | 'gzip' | 'br'

/**
 * In headers, `{br}` and other encodings stand for the ETag of that encoding, and `{date}` stands
 * for Last-Modified.
 */
export const accepting = (value: string) => ({ 'Accept-Encoding': value })
const whole = (encoding: Encoding) => ({ status: 200, encoding }) as const
const unchanged = (encoding: Encoding) => ({ status: 304, encoding }) as const
const failed = { status: 412 } as const
const past = 'Thu, 01 Jan 2026 00:00:00 GMT'
const future = 'Fri, 01 Jan 2027 00:00:00 GMT'

export const feedRequests: readonly Case[] = [
  { name: 'no extra headers', headers: {}, expected: whole('identity') },
  {
    name: 'the Accept-Encoding of browsers',
    headers: accepting('gzip, deflate, br, zstd'),
    expected: whole('br'),
  },
  { name: 'accepted gzip', headers: accepting('gzip'), expected: whole('gzip') },
  { name: 'accepted x-gzip', headers: accepting('X-GZIP'), expected: whole('gzip') },
  { name: 'any accepted encoding', headers: accepting('*'), expected: whole('br') },
  {
    name: 'gzip preferred over br',
    headers: accepting('br;q=0.1, gzip;q=0.2'),
    expected: whole('gzip'),
  },
  { name: 'br refused', headers: accepting('br;q=0, *'), expected: whole('gzip') },
  { name: 'gzip refused', headers: accepting('gzip;q=0'), expected: whole('identity') },
  {
    name: 'everything but identity refused',
    headers: accepting('*;q=0, identity'),
    expected: whole('identity'),
  },
  { name: 'identity refused', headers: accepting('identity;q=0, gzip'), expected: whole('gzip') },
  {
    name: 'only unavailable encodings accepted',
    headers: accepting('zstd, identity;q=0'),
    expected: whole('identity'),
  },
  { name: 'an empty Accept-Encoding', headers: accepting(''), expected: whole('identity') },
  {
    name: 'If-None-Match: the ETag',
    headers: { 'If-None-Match': '{identity}' },
    expected: unchanged('identity'),
  },
  {
    name: 'If-None-Match: the weak ETag',
    headers: { 'If-None-Match': 'W/{identity}' },
    expected: unchanged('identity'),
  },
  {
    name: 'If-None-Match: a list with the ETag',
    headers: { 'If-None-Match': '"a", W/{identity} , "b"' },
    expected: unchanged('identity'),
  },
  { name: 'If-None-Match: *', headers: { 'If-None-Match': '*' }, expected: unchanged('identity') },
  {
    name: 'If-None-Match: another ETag',
    headers: { 'If-None-Match': '"a"' },
    expected: whole('identity'),
  },
  {
    name: 'If-None-Match: an invalid ETag',
    headers: { 'If-None-Match': 'a' },
    expected: whole('identity'),
  },
  {
    name: 'the ETag for gzip, accepting gzip',
    headers: { ...accepting('gzip'), 'If-None-Match': '{gzip}' },
    expected: unchanged('gzip'),
  },
  {
    name: 'the ETag for gzip, accepting gzip and br',
    headers: { ...accepting('gzip, br'), 'If-None-Match': '{gzip}' },
    expected: unchanged('gzip'),
  },
  {
    name: 'the ETag for gzip, accepting no gzip',
    headers: { 'If-None-Match': '{gzip}' },
    expected: whole('identity'),
  },
  {
    name: 'the ETag for identity, accepting gzip',
    headers: { ...accepting('gzip'), 'If-None-Match': '{identity}' },
    expected: unchanged('identity'),
  },
  {
    name: 'the ETag for identity, refusing identity',
    headers: { ...accepting('gzip, identity;q=0'), 'If-None-Match': '{identity}' },
    expected: whole('gzip'),
  },
  {
    name: 'If-None-Match: the ETag, with no-cache',
    headers: { 'If-None-Match': '{identity}', 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
    expected: unchanged('identity'),
  },
  {
    name: 'If-Modified-Since: the time of the change',
    headers: { 'If-Modified-Since': '{date}' },
    expected: unchanged('identity'),
  },
  {
    name: 'If-Modified-Since: a time in the future',
    headers: { 'If-Modified-Since': future },
    expected: whole('identity'),
  },
  {
    name: 'If-Modified-Since: an earlier time',
    headers: { 'If-Modified-Since': past },
    expected: whole('identity'),
  },
  {
    name: 'If-Modified-Since: an invalid time',
    headers: { 'If-Modified-Since': 'Thu, 99 Foo 2027' },
    expected: whole('identity'),
  },
  {
    name: 'If-None-Match: another ETag, If-Modified-Since: a later time',
    headers: { 'If-None-Match': '"a"', 'If-Modified-Since': future },
    expected: whole('identity'),
  },
  {
    name: 'If-None-Match: the ETag, If-Modified-Since: an earlier time',
    headers: { 'If-None-Match': '{identity}', 'If-Modified-Since': past },
    expected: unchanged('identity'),
  },
  {
    name: 'If-Match: the ETag',
    headers: { 'If-Match': '{identity}' },
    expected: whole('identity'),
  },
  {
    name: 'If-Match: the weak ETag',
    headers: { 'If-Match': 'W/{identity}' },
    expected: failed,
  },
  { name: 'If-Match: another ETag', headers: { 'If-Match': '"a"' }, expected: failed },
  {
    name: 'If-Unmodified-Since: an earlier time',
    headers: { 'If-Unmodified-Since': past },
    expected: failed,
  },
  {
    name: 'If-Unmodified-Since: the time of the change',
    headers: { 'If-Unmodified-Since': '{date}' },
    expected: whole('identity'),
  },
  {
    name: 'a range',
    headers: { Range: 'bytes=0-9', 'If-Range': '{identity}' },
    expected: whole('identity'),
  },
]
