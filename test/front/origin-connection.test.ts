import { Agent, createServer, request as sendRequest } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { connectWith, createShares } from '../../src/front/origin-connection.ts'
import { listenLocally } from '../support/local-server.ts'

/** Shares places, and notes who gets one. */
function sharesOf(places = 8) {
  const shares = createShares(places)
  const inside: string[] = []
  const leaves = new Map<string, (() => void)[]>()
  const enter = (client: string) =>
    shares.enter(client, (leave) => {
      inside.push(client)
      leaves.set(client, [...(leaves.get(client) ?? []), leave])
    })
  const leave = (client: string) => {
    inside.splice(inside.indexOf(client), 1)
    leaves.get(client)?.shift()?.()
  }
  return { inside, enter, leave }
}

const countOf = (inside: readonly string[], client: string) =>
  inside.filter((each) => each === client).length

test('gives a network at most half of the places, and less the more networks there are', () => {
  const { inside, enter } = sharesOf()
  const clients = ['192.0.2.1', '192.0.2.2', '198.51.100.1', '203.0.113.1', '203.0.113.2']
  for (const client of clients) for (let each = 0; each < 20; each += 1) enter(client)
  expect(clients.map((client) => countOf(inside, client))).toEqual([2, 1, 2, 2, 0])
})

test('leaves places for others if one person has an IPv6 network with many clients', () => {
  const { inside, enter } = sharesOf()
  for (let client = 0; client < 200; client += 1) enter(`2001:db8:1:${client.toString(16)}::1`)
  expect(inside).toHaveLength(4)
  enter('2001:db8:2::1')
  expect(inside).toContain('2001:db8:2::1')
})

test('leaves places for others if a client has a whole IPv6 /32', () => {
  const { inside, enter, leave } = sharesOf()
  for (let network = 1; network <= 20; network += 1) enter(`2001:db8:${network}::1`)
  expect(inside).toHaveLength(6)
  enter('2001:db9:1::1')
  expect(inside).toContain('2001:db9:1::1')
  // Its networks still get the places that one of them leaves, in order.
  leave('2001:db8:1::1')
  expect(inside.at(-1)).toBe('2001:db8:7::1')
})

test('gives each IPv4 /16 at most three quarters of the rest', () => {
  const { inside, enter } = sharesOf(16)
  const providers = ['192.0', '198.51', '203.0']
  for (const provider of providers) {
    for (let network = 0; network < 20; network += 1) enter(`${provider}.${network}.1`)
  }
  const counts = providers.map((provider) => inside.filter((each) => each.startsWith(provider)))
  expect(counts.map(({ length }) => length)).toEqual([12, 3, 1])
})

test('gives a place to the first client in line that may have one', () => {
  const { inside, enter, leave } = sharesOf()
  for (let each = 0; each < 4; each += 1) enter('a')
  for (const client of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) enter(client)
  expect(inside.join('')).toBe('aabcdefg')
  leave('b')
  // The first in line are further ones of the client with two places.
  expect(inside.join('')).toBe('aacdefgh')
  for (const client of ['a', 'c']) leave(client)
  expect(inside.join('')).toBe('adefgha')
})

test('does not give a place to a client that has stopped waiting', () => {
  const { inside, enter, leave } = sharesOf()
  for (let each = 0; each < 2; each += 1) enter('a')
  const stopWaiting = enter('a')
  enter('a')
  expect([stopWaiting(), stopWaiting()]).toEqual([true, false])
  for (let each = 0; each < 2; each += 1) leave('a')
  expect(inside.join('')).toBe('a')
})

test('gives the place of a response that a client reads slowly to another client', async () => {
  const large = Buffer.alloc(16 * 1024 * 1024)
  const server = createServer((_request, response) => void response.end(large))
  const port = await listenLocally(server)
  const agent = new Agent()
  onTestFinished(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { get } = connectWith(agent, 2, (options) =>
    sendRequest({ ...options, host: '127.0.0.1', port, agent }),
  )
  for (const client of ['192.0.2.1', '192.0.2.1', '198.51.100.1', '203.0.113.1']) {
    // Nothing reads the body.
    const { statusCode } = await get(client, '/', ['Host', 'feeds.example'], undefined)
    expect(statusCode).toBe(200)
  }
})
