import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { clientAddress } from '../../src/front/client-address.ts'
import { serverLimits } from '../../src/front/server.ts'
import { connectTo, serverOf } from '../support/http-server.ts'
import { exchange, requestText, send } from '../support/raw-http.ts'
import { waitFor } from '../support/wait-for.ts'

describe('pipelined requests', () => {
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

  test('get their responses in order', async () => {
    let count = 0
    const { url } = await serverOf((_request, response) => {
      const number = (count += 1)
      setImmediate(() => response.end(`<${number}>`))
    })
    const bytes = await send(url, `${request.repeat(15)}${requestText('/')}`)
    const numbers = [...bytes.toString().matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(Array.from({ length: 16 }, (_, index) => index + 1))
  })

  test('are dropped with the connection if there are too many', async () => {
    let begun = 0
    const { url, refused } = await serverOf(() => void (begun += 1))
    const { socket, closed } = await connectTo(url)
    socket.resume()
    socket.write(request.repeat(2_000))
    await closed
    expect(begun).toBe(1 + serverLimits.maxPipelined)
    expect(refused()).toMatchObject([
      { reason: 'too many pipelined requests', address: '127.0.0.1' },
    ])
  })

  test('get a 400 response in order for a request with two Host headers', async () => {
    const { url } = await serverOf((_request, response) => setImmediate(() => response.end('<ok>')))
    const two = 'GET / HTTP/1.1\r\nHost: one.example\r\nhost: two.example\r\n\r\n'
    const text = (await send(url, `${request}${two}${request}`)).toString()
    expect(text.match(/HTTP\/1\.1 \d+|<ok>/g)).toEqual(['HTTP/1.1 200', '<ok>', 'HTTP/1.1 400'])
    expect((await send(url, two)).toString()).toMatch(
      /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s,
    )
  })
})

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })

/** Starts a server that delays responses until the test releases them. */
async function heldServer(limits: {
  readonly maxOpen: number
  readonly maxOpenOfClient: number
  readonly maxOpenOfNetwork?: number
  readonly maxOpenOfProvider?: number
}) {
  const waiting: (() => void)[] = []
  const listener: RequestListener = (_request, response) =>
    void waiting.push(() => response.end('ok'))
  const { url, refused } = await serverOf(listener, limits)
  const ask = (address = '192.0.2.1', path = '/') => {
    const headers = { 'X-Forwarded-For': `198.51.100.9, ${address}` }
    return exchange(url, requestText(path, { headers }))
  }
  return { ask, refused, url, waiting }
}

test('limits concurrent responses, and rejects further requests with Retry-After', async () => {
  const { ask, refused, waiting } = await heldServer({ maxOpen: 2, maxOpenOfClient: 2 })
  const first = [ask(), ask()]
  await waitFor(() => expect(waiting).toHaveLength(2))
  expect(await ask()).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
  expect(refused()).toMatchObject([{ reason: 'too many open responses', address: '192.0.2.1' }])
  for (const answer of waiting) answer()
  expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200])
  const next = ask()
  await waitFor(() => expect(waiting).toHaveLength(3))
  waiting[2]?.()
  expect((await next).status).toBe(200)
})

test('limits concurrent responses per client', async () => {
  const { ask, waiting } = await heldServer({ maxOpen: 3, maxOpenOfClient: 1 })
  const first = ask('2001:db8::1')
  await waitFor(() => expect(waiting).toHaveLength(1))
  expect(await ask('2001:db8::2')).toMatchObject({ status: 503 })
  const other = ask('192.0.2.7')
  await waitFor(() => expect(waiting).toHaveLength(2))
  for (const answer of waiting) answer()
  expect((await Promise.all([first, other])).map(({ status }) => status)).toEqual([200, 200])
})

test('limits concurrent responses per network, which one person can own', async () => {
  const limits = { maxOpen: 9, maxOpenOfClient: 1, maxOpenOfNetwork: 2 }
  const { ask, waiting } = await heldServer(limits)
  const first = [ask('2001:db8:1:1::1'), ask('2001:db8:1:2::1')]
  await waitFor(() => expect(waiting).toHaveLength(2))
  expect(await ask('2001:db8:1:3::1')).toMatchObject({ status: 503 })
  const other = ask('2001:db8:2::1')
  await waitFor(() => expect(waiting).toHaveLength(3))
  for (const answer of waiting) answer()
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
})

test('limits concurrent responses per provider, because one client can have many networks', async () => {
  const limits = { maxOpen: 9, maxOpenOfClient: 9, maxOpenOfProvider: 2 }
  const { ask, waiting } = await heldServer(limits)
  const first = [ask('2001:db8:1::1'), ask('2001:db8:2::1')]
  await waitFor(() => expect(waiting).toHaveLength(2))
  expect(await ask('2001:db8:3::1')).toMatchObject({ status: 503 })
  const other = ask('2001:db9:1::1')
  await waitFor(() => expect(waiting).toHaveLength(3))
  for (const answer of waiting) answer()
  expect((await Promise.all([...first, other])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
})

test.for([
  ['another provider', ['192.0.2.1', '192.0.2.2', '192.0.3.1', '192.0.3.2'], '198.51.100.1', 3],
  ['another network', ['192.0.2.1', '192.0.2.2', '192.0.3.1', '192.0.2.1'], '192.0.4.1', 3],
  ['another client', ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'], '192.0.2.3', 2],
  ['many networks', ['2001:db8:1::1', '2001:db8:2::1', '2001:db8:3::1'], '2001:db9::1', 2],
  ['clients with few', ['192.0.2.1', '192.0.2.1', '198.51.100.1'], '203.0.113.1', 1],
] as const)(
  'drops the newest request of those with the most: %s',
  async ([, addresses, newcomer, dropped]) => {
    const limits = { maxOpen: addresses.length, maxOpenOfClient: 9 }
    const { ask, refused, waiting } = await heldServer(limits)
    const first: ReturnType<typeof ask>[] = []
    for (const address of addresses) {
      first.push(ask(address))
      await waitFor(() => expect(waiting).toHaveLength(first.length))
    }
    const next = ask(newcomer)
    await waitFor(() => expect(waiting).toHaveLength(addresses.length + 1))
    expect(await first[dropped]).toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    expect(refused()).toMatchObject([{ reason: 'too many open responses' }])
    waiting.splice(dropped, 1)
    for (const answer of waiting) answer()
    const others = first.filter((_, index) => index !== dropped)
    const answers = await Promise.all([...others, next])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  },
)

test.for([
  ['network', { maxOpenOfNetwork: 3 }, '192.0.2.1', '192.0.2.2'],
  ['provider', { maxOpenOfProvider: 3 }, '2001:db8:1::1', '2001:db8:2::1'],
] as const)(
  'drops a request of the client with the most in a %s for its neighbor',
  async ([, limit, client, neighbor]) => {
    const { ask, waiting } = await heldServer({ maxOpen: 9, maxOpenOfClient: 9, ...limit })
    const first: ReturnType<typeof ask>[] = []
    for (const address of ['203.0.113.1', client, client, client]) {
      first.push(ask(address))
      await waitFor(() => expect(waiting).toHaveLength(first.length))
    }
    const next = ask(neighbor)
    await waitFor(() => expect(waiting).toHaveLength(5))
    expect((await first[3])?.status).toBe(503)
    expect((await ask(client)).status).toBe(503)
    for (const answer of waiting) answer()
    const answers = await Promise.all([...first.slice(0, 3), next])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  },
)

test.for([
  ['network', ['192.0.2.1', '192.0.2.1', '198.51.100.1'], '198.51.100.1'],
  ['provider', ['2001:db8:1::1', '2001:db8:2::1', '2001:db9::1'], '2001:db8:3::1'],
] as const)(
  'drops no request for another one of a %s with as many',
  async ([, addresses, newcomer]) => {
    const limits = { maxOpen: addresses.length, maxOpenOfClient: 9 }
    const { ask, waiting } = await heldServer(limits)
    const first = addresses.map((address) => ask(address))
    await waitFor(() => expect(waiting).toHaveLength(addresses.length))
    expect((await ask(newcomer)).status).toBe(503)
    for (const answer of waiting) answer()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
  },
)

test('closes the connection of a dropped request behind another one', async () => {
  const { ask, url, waiting } = await heldServer({ maxOpen: 2, maxOpenOfClient: 2 })
  const { socket, closed } = await connectTo(url)
  socket.resume()
  socket.write(requestText('/', from('192.0.2.1')).replace('close', 'keep-alive').repeat(2))
  await waitFor(() => expect(waiting).toHaveLength(2))
  const other = ask('198.51.100.1')
  await closed
  await waitFor(() => expect(waiting).toHaveLength(3))
  waiting[2]?.()
  expect((await other).status).toBe(200)
})

test.for(['/livez', '/readyz?probe=1', '/ashton/readyz', '/status'])(
  'serves %s regardless of the number of concurrent responses',
  async (path) => {
    const { ask, waiting } = await heldServer({ maxOpen: 0, maxOpenOfClient: 0 })
    const check = ask('192.0.2.1', path)
    await waitFor(() => expect(waiting).toHaveLength(1))
    waiting[0]?.()
    expect((await check).status).toBe(200)
  },
)

describe('responses that clients do not read', () => {
  const large = Buffer.alloc(32 * 1024 * 1024)

  /** Starts a server whose cached responses are large. */
  async function cachingServer(limits: {
    readonly maxOpen: number
    readonly maxOpenOfClient: number
  }) {
    const server = await serverOf(() => undefined, limits)
    server.server.answer((request, response) => {
      const { inFlight } = server.server
      const client = clientAddress(request, 1)
      if (request.url === '/cached') {
        response.end(large)
        inFlight.addUnsent(response, client)
      } else if (inFlight.admit(request, response, client)) {
        if (request.url !== '/waits') response.end(request.url === '/large' ? large : 'ok')
      }
    })
    return {
      ...server,
      ask: (address: string) => exchange(server.url, requestText('/', from(address))),
      /** Resolves once the response has begun, which is never read. */
      stall: async (address: string, path: string) => {
        const { socket, closed } = await connectTo(server.url)
        socket.write(requestText(path, from(address)))
        await once(socket, 'data')
        socket.pause()
        return { socket, closed }
      },
    }
  }

  test.for(['/cached', '/large'])('give way to others if there are too many: %s', async (path) => {
    const { ask, stall, refused } = await cachingServer({ maxOpen: 3, maxOpenOfClient: 2 })
    const other = await stall('192.0.2.2', path)
    const [oldest] = [await stall('192.0.2.1', path), await stall('192.0.2.1', path)]
    expect((await ask('192.0.2.3')).status).toBe(200)
    expect(refused()).toMatchObject([{ reason: 'too many open responses' }])
    oldest.socket.resume()
    await oldest.closed
    expect(other.socket.destroyed).toBe(false)
  })

  test('remain if the client of the new request has as many', async () => {
    const { ask, stall, server, url } = await cachingServer({ maxOpen: 2, maxOpenOfClient: 9 })
    const unread = await stall('198.51.100.1', '/large')
    const { socket } = await connectTo(url)
    socket.write(requestText('/waits', from('192.0.2.1')))
    await waitFor(() => expect(server.inFlight.sockets().size).toBe(2))
    expect((await ask('192.0.2.1')).status).toBe(503)
    expect(unread.socket.destroyed).toBe(false)
    socket.destroy()
  })

  test('from the cache count for their client, whose oldest one is disconnected', async () => {
    const { ask, stall } = await cachingServer({ maxOpen: 9, maxOpenOfClient: 2 })
    const oldest = await stall('192.0.2.1', '/cached')
    const others = [await stall('192.0.2.1', '/cached'), await stall('192.0.2.1', '/cached')]
    oldest.socket.resume()
    await oldest.closed
    expect((await ask('192.0.2.1')).status).toBe(503)
    expect((await ask('192.0.2.2')).status).toBe(200)
    expect(others.map(({ socket }) => socket.destroyed)).toEqual([false, false])
  })
})
