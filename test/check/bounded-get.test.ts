import { expect, test } from 'vitest'
import { boundedGet } from '../../src/check/bounded-get.ts'
import { startHttpsServer } from '../support/https-server.ts'

test.for([
  { extensions: 1, isTooLarge: false },
  { extensions: 40, isTooLarge: true },
])('reads a response with $extensions long extensions of chunks', async (expected) => {
  const { url, caPem } = await startHttpsServer(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n')
    socket.end(`${`1;${'x'.repeat(10_000)}\r\na\r\n`.repeat(expected.extensions)}0\r\n\r\n`)
  })
  const options = { headers: {}, ca: [caPem], timeoutMs: 10_000, maxBodyBytes: 100_000 }
  expect(await boundedGet(new URL(url), options)).toMatchObject({
    isTooLarge: expected.isTooLarge,
    text: expected.isTooLarge ? undefined : 'a',
  })
})

test.for([
  { chunks: 20_000, isTooLarge: false },
  { chunks: 20_001, isTooLarge: true },
])('reads a response in $chunks chunks', async ({ chunks, isTooLarge }) => {
  const { url, caPem } = await startHttpsServer(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n')
    socket.end(`${'1\r\na\r\n'.repeat(chunks)}0\r\n\r\n`)
  })
  const options = { headers: {}, ca: [caPem], timeoutMs: 10_000, maxBodyBytes: 100_000 }
  expect(await boundedGet(new URL(url), options)).toMatchObject({ isTooLarge })
})

test('rejects if a response ends early', async () => {
  const { url, caPem } = await startHttpsServer(({ socket }) => {
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\na')
  })
  const options = { headers: {}, ca: [caPem], timeoutMs: 10_000, maxBodyBytes: 100_000 }
  await expect(boundedGet(new URL(url), options)).rejects.toThrow('aborted')
})
