import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { serverOf } from '../support/http-server.ts'
import { send } from '../support/raw-http.ts'

test('closes the connection of a request with very many small chunks', async () => {
  const { url } = await serverOf((request, response) => {
    buffer(request).then(
      ({ length }) => response.end(`received ${length}`),
      () => undefined,
    )
  })
  const answerTo = async (count: number, bytes: number) => {
    const head =
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    const chunk = `${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n`
    const sent = send(url, `${head}${chunk.repeat(count)}0\r\n\r\n`)
    return (await sent.catch(() => '')).toString()
  }
  expect(await answerTo(999, 1)).toContain('received 999')
  expect(await answerTo(5_000, 512)).toContain('received 2560000')
  expect(await answerTo(2_000, 1)).toBe('')
})
