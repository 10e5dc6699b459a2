import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createConnectionShares } from '../../src/front/connections.ts'
import { senderFrom, type Sender } from '../../src/front/counts.ts'
import { connectTo, ok, serverOf } from '../support/http-server.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { waitFor } from '../support/wait-for.ts'

type Client = Awaited<ReturnType<typeof connectTo>>

const limits = { maxConnections: 12 }

/** Opens connections one after the other, and begins a request on each of them. */
async function occupy(url: string, addresses: readonly string[]): Promise<readonly Client[]> {
  const clients: Client[] = []
  for (const localAddress of addresses) {
    const client = await connectTo(url, { localAddress })
    client.socket.write('HEAD / HTTP/1.1\r\nHost: feeds.test\r\nX: a')
    client.socket.resume()
    clients.push(client)
  }
  return clients
}

async function ask({ socket }: Client, path = '/'): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: feeds.test\r\n\r\n`)
  return String(await once(socket, 'data'))
}

test.for([
  ['one network', () => '127.5.5.1'],
  ['many networks of one provider', (index: number) => `127.5.${index}.1`],
] as const)('lets others connect if a client keeps all connections busy: %s', async ([, of]) => {
  const { url, refused } = await serverOf(ok, limits)
  const localAddress = '127.9.9.9'
  const others = [await connectTo(url, { localAddress }), await connectTo(url, { localAddress })]
  for (const other of others) expect(await ask(other)).toMatch(/^HTTP\/1\.1 200/)
  const busy = await occupy(
    url,
    Array.from({ length: 20 }, (_, index) => of(index)),
  )
  const [oldest] = busy
  await oldest?.closed
  expect(refused()).toContainEqual(
    expect.objectContaining({ reason: 'too many connections', address: of(0) }),
  )
  const late = await connectTo(url, { localAddress })
  expect(await ask(late, '/livez')).toMatch(/^HTTP\/1\.1 200/)
  for (const other of others) expect(await ask(other)).toMatch(/^HTTP\/1\.1 200/)
})

test('closes no connection of a smaller network of the same provider', async () => {
  const { url } = await serverOf(ok, limits)
  const other = await connectTo(url, { localAddress: '127.5.6.1' })
  const [oldest] = await occupy(
    url,
    Array.from({ length: 20 }, () => '127.5.5.1'),
  )
  await oldest?.closed
  expect(await ask(other)).toMatch(/^HTTP\/1\.1 200/)
})

test('accepts any number of connections from a proxy below the limit', async () => {
  const { url, refused } = await serverOf(ok, limits)
  const proxied = await Promise.all(Array.from({ length: 12 }, () => connectTo(url)))
  for (const client of proxied) expect(await ask(client)).toMatch(/^HTTP\/1\.1 200/)
  expect(refused()).toEqual([])
  const late = await connectTo(url)
  expect(await ask(late)).toMatch(/^HTTP\/1\.1 200/)
  await waitFor(() => expect(proxied.filter(({ socket }) => socket.destroyed)).toHaveLength(1))
})

/** Returns the names of the largest groups. */
function largestOf(groups: Partial<Record<string, readonly unknown[]>>): readonly string[] {
  const sizes = Object.entries(groups).map(([name, { length = 0 } = []]) => ({ name, length }))
  const most = Math.max(...sizes.map(({ length }) => length))
  return sizes.filter(({ length }) => length === most).map(({ name }) => name)
}

test('always takes the oldest connection of the largest network of the largest provider', () => {
  const random = seededRandom()
  const shares = createConnectionShares<number>()
  const open = new Map<number, Sender>()
  for (let connection = 0; connection < 1_000; connection += 1) {
    const sender = senderFrom(`10.${Math.floor(random() * 5)}.${Math.floor(random() ** 2 * 6)}.1`)
    shares.add(connection, sender)
    open.set(connection, sender)
    const left = Math.floor(random() * 2 * connection)
    shares.remove(left)
    open.delete(left)
    if (open.size <= 60) continue
    const taken = shares.takeOldest() ?? -1
    const { provider, network } = open.get(taken) ?? {}
    const senders = [...open.values()]
    expect(largestOf(Object.groupBy(senders, (one) => one.provider))).toContain(provider)
    const near = senders.filter((one) => one.provider === provider)
    expect(largestOf(Object.groupBy(near, (one) => one.network))).toContain(network)
    expect(taken).toBe([...open].find(([, one]) => one.network === network)?.[0])
    open.delete(taken)
    expect([...shares.all()]).toEqual([...open.keys()])
  }
  for (const connection of open.keys()) shares.remove(connection)
  expect([shares.size(), shares.takeOldest()]).toEqual([0, undefined])
})
