import { request, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import { createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { connectToHost, hostLimits } from '../../src/front/host-connection.ts'
import { challengeIn } from '../../src/front/host-proof.ts'
import { clientHeader, hostHeader } from '../../src/front/protocol.ts'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { startHost } from '../support/host.ts'
import { startHttpServer } from '../support/http-server.ts'
import { listenLocally } from '../support/local-server.ts'
import { testDirectory } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

const headers = ['Host', 'site.example', clientHeader, '192.0.2.1']

function connectionTo(url: string, keys: readonly string[] = ['key'], limits = hostLimits) {
  const connection = connectToHost(url, () => keys, limits)
  onTestFinished(connection.close)
  const ask = async (path: string) =>
    text(await connection.get('192.0.2.1', path, headers, undefined))
  return { connection, ask }
}

test('sends requests to a host once it has proved that it has the key', async () => {
  const { url, received } = await startHost(['key'])
  const { connection, ask } = connectionTo(url)
  expect(await Promise.all([ask('/a'), ask('/b'), connection.id()])).toEqual(['ok', 'ok', 'host'])
  expect(received.map((request) => request.url)).toEqual(['/', '/a', '/b'])
  expect(received.map(({ rawHeaders }) => rawHeaders.join()).join()).not.toContain('key,')
})

test.for([
  ['has no key', 200],
  ['redirects to a host', 302],
] as const)('sends no request to a server that %s', async ([, status]) => {
  const host = await startHost(['key'])
  const received: string[] = []
  let replay: Promise<Response> | undefined
  const url = await startHttpServer((request, response) => {
    received.push(`${request.url} ${request.rawHeaders.join(' ')}`)
    const sent = { [hostHeader]: String(request.headers[hostHeader]) }
    replay = fetch(`${host.url}/l/secret/events.ics`, { headers: sent })
    response.writeHead(status, { Location: host.url }).end('{}')
  })
  const { ask } = connectionTo(url)
  await expect(ask('/l/secret/events.ics')).rejects.toThrow('another server responds there')
  expect(received).toHaveLength(1)
  expect(received.join()).not.toMatch(/secret|key|192\.0\.2\.1/)
  // Whatever the server has received gets it no response from a host, except another greeting.
  expect(await (await replay)?.json()).toMatchObject({ id: 'host' })
  expect(host.received).toHaveLength(1)
})

const isGreeting = (headers: IncomingHttpHeaders) => challengeIn(headers) !== undefined

test.for([
  ['greetings', isGreeting, 'another server responds there', 0],
  ['requests', (headers: IncomingHttpHeaders) => !isGreeting(headers), 'does not accept', 2],
] as const)(
  'a host rejects %s that a server at its wrong URL passes on as those of a client',
  async ([, isChanged, message, requests]) => {
    const received: IncomingHttpHeaders[] = []
    const wrongUrl = await startHttpServer(({ url: path, headers: given }, response) => {
      const forwarded = isChanged(given) ? { 'x-forwarded-for': '203.0.113.1' } : {}
      if (!isGreeting(given)) received.push(given)
      const passed = request(`${host.url}${path}`, { headers: { ...given, ...forwarded } })
      passed.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers)
        answer.pipe(response)
      })
      passed.end()
    })
    const host = await startHost(['key'], wrongUrl)
    const served: string[] = []
    host.serve((_request, response) => void response.end(String(served.push('served'))))
    const { ask } = connectionTo(wrongUrl)
    await expect(ask('/l/secret/events.ics')).rejects.toThrow(message)
    expect(served).toEqual([])
    expect(received).toHaveLength(requests)
  },
)

test('reads only the start of an endless response to a greeting', async () => {
  const url = await startHttpServer((_request, response) => {
    const write = () => {
      while (response.write('a'.repeat(1_000)));
    }
    response.on('drain', write)
    write()
  })
  const { ask } = connectionTo(url)
  await expect(ask('/')).rejects.toThrow('another server responds there')
})

test('does not wait for the end of a response to a greeting', async () => {
  let greetings = 0
  const url = await startHttpServer((_request, response) => {
    greetings += 1
    response.write('{')
  })
  const { ask } = connectionTo(url, ['key'], { ...hostLimits, greetingMs: 50 })
  await expect(ask('/a')).rejects.toThrow('too slow')
  await expect(ask('/b')).rejects.toThrow('too slow')
  expect(greetings).toBe(2)
})

test('does not blame the request for the long headers of another server', async () => {
  const url = await startHttpServer((_request, response) => {
    response.writeHead(200, { long: 'a'.repeat(20_000) }).end()
  })
  const { ask } = connectionTo(url)
  await expect(ask('/a')).rejects.toThrow('another server responds there')
})

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n'

test.for<[name: string, serve: RequestListener]>([
  ['nothing', () => undefined],
  ['only the start of a response', (_request, response) => void response.write('a')],
  ['another protocol', (_request, response) => void response.socket?.write(switching)],
])('gives up on a host that sends %s', async ([, serve]) => {
  const host = await startHost(['key'])
  host.serve(serve)
  const { ask } = connectionTo(host.url, ['key'], { ...hostLimits, silentMs: 200 })
  await expect(ask('/a')).rejects.toThrow(/is silent|aborted|was closed/)
})

test('greets a host again that has restarted, and repeats the request that it rejected', async () => {
  const { url, received, restart } = await startHost(['key'])
  const { ask } = connectionTo(url)
  await ask('/a')
  restart()
  expect(await ask('/b')).toBe('ok')
  expect(received.map((request) => request.url)).toEqual(['/', '/a', '/b', '/', '/b'])
})

test('greets a host again after a connection to it has been closed', async () => {
  const { url, received, serve } = await startHost(['key'])
  const { ask } = connectionTo(url)
  serve((_request, response) => void response.setHeader('Connection', 'close').end('closed'))
  await waitFor(async () => {
    expect(await ask('/a')).toBe('closed')
    const greetings = received.filter((request) => request.url === '/')
    expect(greetings.length).toBeGreaterThan(1)
  })
})

test.for([
  ['localhost', ['localhost']],
  ['127.0.0.1', []],
] as const)(
  'sends a server name to another host only if it is not an IP address: %s',
  async ([host, names]) => {
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
  },
)
