import {
  Agent,
  createServer as createHttpServer,
  request as sendRequest,
  type IncomingMessage,
} from 'node:http'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { connectWith, forwardedHeaders } from '../../src/front/forward.ts'
import { connectToHost } from '../../src/front/host-connection.ts'
import { clientHeader } from '../../src/front/protocol.ts'
import { createShares } from '../../src/front/shares.ts'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { listenLocally } from '../support/local-server.ts'
import { testDirectory } from '../support/service.ts'

test.for([
  ['localhost', ['localhost']],
  ['127.0.0.1', []],
] as const)('names the server to another host only if it has a name: %s', async ([host, names]) => {
  const { cert, key } = await localhostCertificate(testDirectory())
  const asked: string[] = []
  const server = createServer({
    cert,
    key,
    SNICallback(name, done) {
      asked.push(name)
      done(null)
    },
  })
  const port = await listenLocally(server)
  onTestFinished(() => void server.close())
  const connection = connectToHost(`https://${host}:${port}`, () => ['key'])
  onTestFinished(connection.close)
  // The certificate is not from an authority that Node trusts.
  await expect(connection.get('192.0.2.1', '/', [], undefined)).rejects.toThrow(/certificate/)
  expect(asked).toEqual(names)
})

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

test('gives the place of a response that a client reads slowly to another client', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024)
  const server = createHttpServer((_request, response) => void response.end(large))
  const port = await listenLocally(server)
  const agent = new Agent()
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { get } = connectWith(agent, createShares(2), (options) =>
    sendRequest({ ...options, host: '127.0.0.1', port, agent }),
  )
  for (const client of ['192.0.2.1', '192.0.2.1', '198.51.100.1', '203.0.113.1']) {
    // Nothing reads the body.
    const { statusCode } = await get(client, '/', ['Host', 'feeds.example'], undefined)
    expect(statusCode).toBe(200)
  }
})
