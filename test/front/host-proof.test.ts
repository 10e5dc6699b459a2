import { expect, test } from 'vitest'
import {
  challengeIn,
  createHostGate,
  createHostSession,
  ticketMs,
} from '../../src/front/host-proof.ts'
import { clientHeader, hostHeader } from '../../src/front/protocol.ts'

const url = 'http://10.0.0.5:8080'
const request = {
  method: 'GET',
  path: '/l/abc/events.ics',
  host: 'site.example',
  client: '203.0.113.1, 192.0.2.1',
}

/** Connects a host to another one. Either can have another key or another URL. */
function hostsWith({
  own = ['key'],
  other = ['key'],
  otherUrl = url,
}: {
  readonly own?: readonly string[]
  readonly other?: readonly string[]
  readonly otherUrl?: string
} = {}) {
  const state = { own, other, elapsedMs: 0 }
  const greetings: string[] = []
  const elapsed = () => state.elapsedMs
  const gate = createHostGate({ id: 'other', url: otherUrl, keys: () => state.other, elapsed })
  const session = createHostSession({
    url,
    keys: () => state.own,
    elapsed,
    async ask([name = '', value]) {
      const challenge = challengeIn({ [name]: value })
      const text = JSON.stringify(challenge === undefined ? null : gate.greet(challenge))
      greetings.push(`${value} ${text}`)
      return text
    },
  })
  /** Signs a request, and checks a changed version of it. */
  async function isSigned(changes: Partial<typeof request> = {}): Promise<boolean> {
    const [name = '', value] = await session.sign(request)
    const { method, path, host, client } = { ...request, ...changes }
    const [forwarded, address] = client.split(', ')
    return gate.isSigned({
      method,
      url: path,
      headers: { host, 'x-forwarded-for': forwarded, [clientHeader]: address, [name]: value },
    })
  }
  return { state, gate, session, greetings, isSigned }
}

test('a host with the same key accepts a signed request, and nothing contains the key', async () => {
  const { session, greetings, isSigned } = hostsWith()
  expect(await session.id()).toBe('other')
  expect([await isSigned(), await isSigned()]).toEqual([true, true])
  expect(greetings).toHaveLength(1)
  expect(greetings.join()).not.toContain('key')
})

test.for([
  { method: 'POST' },
  { path: '/l/abc/news.rss' },
  { host: 'other.example' },
  { client: '203.0.113.1, 192.0.2.2' },
  { client: '203.0.113.2, 192.0.2.1' },
])('a host rejects a request with another %s', async (changes) => {
  const { isSigned } = hostsWith()
  expect(await isSigned(changes)).toBe(false)
})

test.for([
  ['has another key', { other: ['another'] }],
  ['has no key', { other: [] }],
  ['passes challenges on to a host at another URL', { otherUrl: 'http://10.0.0.6:8080' }],
] as const)('a host signs nothing for a server that %s', async ([, hosts]) => {
  const { session } = hostsWith(hosts)
  await expect(session.sign(request)).rejects.toThrow('another server responds there')
  await expect(session.id()).rejects.toThrow('another server responds there')
})

test.for(['', 'not JSON', 'null', '[]', '{"id":"a","ticket":"b","proofs":"c"}', '{"id":1}'])(
  'a host signs nothing for a server that responds with %j',
  async (text) => {
    const session = createHostSession({ url, keys: () => ['key'], ask: async () => text })
    await expect(session.sign(request)).rejects.toThrow('another server responds there')
  },
)

test('a host signs nothing for a server that repeats the greeting of another host', async () => {
  const { session, greetings } = hostsWith()
  await session.id()
  const [repeated = ''] = greetings.map((text) => text.slice(text.indexOf(' ') + 1))
  const next = createHostSession({ url, keys: () => ['key'], ask: async () => repeated })
  await expect(next.sign(request)).rejects.toThrow('another server responds there')
})

test('hosts with a common key accept each other while it is being changed', async () => {
  const { state, session, isSigned } = hostsWith({ own: ['old'], other: ['new', 'old'] })
  expect(await isSigned()).toBe(true)
  state.own = ['new', 'old']
  expect(await isSigned()).toBe(true)
  state.other = ['new']
  expect(await isSigned()).toBe(false)
  session.forget()
  expect(await isSigned()).toBe(true)
})

test('a host accepts a ticket for ten minutes, and gets a new one in time', async () => {
  const { state, gate, session, greetings, isSigned } = hostsWith()
  const [name = '', value] = await session.sign(request)
  const { method, path, host, client } = request
  const [forwarded, address] = client.split(', ')
  const headers = { host, 'x-forwarded-for': forwarded, [clientHeader]: address, [name]: value }
  state.elapsedMs = ticketMs - 1
  expect(gate.isSigned({ method, url: path, headers })).toBe(true)
  state.elapsedMs = ticketMs
  expect(gate.isSigned({ method, url: path, headers })).toBe(false)
  expect(await isSigned()).toBe(true)
  expect(greetings).toHaveLength(2)
})

test.for([undefined, '', 'a', 'a.b.c.d', `${'a'.repeat(43)}.0.${'b'.repeat(43)}.c`, '...'])(
  'a host rejects an invalid signature: %s',
  (value) => {
    const { gate } = hostsWith()
    expect(gate.isSigned({ method: 'GET', url: '/', headers: { [hostHeader]: value } })).toBe(false)
  },
)
