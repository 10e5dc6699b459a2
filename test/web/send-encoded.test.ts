import { expect, test } from 'vitest'
import { sendEncoded } from '../../src/web/send-encoded.ts'
import { encodingsOf } from '../../src/representations/encodings.ts'
import { startHttpServer } from '../support/http-server.ts'

const lastModified = 'Thu, 05 Mar 2026 15:00:00 GMT'

async function headersWith(conditions: Readonly<Record<string, string>>) {
  const encodings = await encodingsOf(Buffer.from('news'))
  const fields = [
    ['Cache-Control', 'public, max-age=300'],
    ['Link', '<https://hub.example/>; rel="hub"'],
    ['Access-Control-Allow-Origin', '*'],
  ] as const
  const url = await startHttpServer((request, response) =>
    sendEncoded(request, response, { lastModified, fields, encodings }, { now: Date.now() }),
  )
  const { status, headers } = await fetch(url, { headers: conditions })
  const shown = ['cache-control', 'link', 'access-control-allow-origin', 'last-modified']
  return [status, ...shown.map((name) => headers.get(name))]
}

test('describes the feed in responses with 200 and 304, but not with 412', async () => {
  const feed = ['public, max-age=300', '<https://hub.example/>; rel="hub"', '*', lastModified]
  expect(await headersWith({})).toEqual([200, ...feed])
  expect(await headersWith({ 'If-Modified-Since': lastModified })).toEqual([304, ...feed])
  expect(await headersWith({ 'If-Match': '"other"' })).toEqual([412, 'no-store', null, '*', null])
})
