import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { forwardedHeaders } from '../../src/front/forward.ts'
import { clientHeader } from '../../src/front/protocol.ts'

/** Returns the names in a list of alternating names and values. */
const namesIn = (headers: readonly string[]) => headers.filter((_, index) => index % 2 === 0)

test('asks the worker for the whole response when the front fills its cache', () => {
  const conditions = {
    'If-None-Match': '"1"',
    'If-Modified-Since': 'Thu, 05 Mar 2026 15:00:00 GMT',
    'If-Range': '"1"',
    Range: 'bytes=0-9',
    'Accept-Encoding': 'br',
    'Content-Length': '0',
  }
  const rawHeaders = Object.entries({ Host: 'feeds.example', ...conditions, Accept: '*/*' }).flat()
  const socket = { remoteAddress: '192.0.2.1' } as IncomingMessage['socket']
  const own = ['Host', 'Accept', clientHeader]
  const request = { headers: {}, rawHeaders, socket }
  expect(namesIn(forwardedHeaders(request, { isUnconditional: true }))).toEqual(own)
  expect(namesIn(forwardedHeaders(request))).toEqual(
    expect.arrayContaining([...own, ...Object.keys(conditions)]),
  )
})
