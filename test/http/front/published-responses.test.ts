import { expect, test } from 'vitest'
import {
  createPublishedResponses,
  type Staleness,
} from '../../../src/http/front/published-responses.ts'
import { createSentResponses, receivedResponse } from '../../../src/http/front/sent-responses.ts'
import { encodingsOf } from '../../../src/representations/compression.ts'
import { etagOf } from '../../../src/representations/encoded-body.ts'
import { createFakeClock } from '../../support/fake-clock.ts'

const encoded = (text: string) => ({
  bytes: Buffer.from(text),
  length: text.length,
  etag: `"${text}"`,
})

const responseOf = (text: string) => ({
  lastModified: new Date(0).toUTCString(),
  commonHeaders: [],
  contentHeaders: ['Content-Type', 'text/plain'],
  downloadHeaders: ['Content-Type', 'text/plain', 'Content-Disposition', 'attachment'],
  failedHeaders: [],
  hasTime: false,
  encodings: { identity: encoded(text), gzip: encoded(`${text} gzip`) },
})

const address = {
  site: '',
  key: 'a',
  isDownload: false,
  link: undefined,
  editedAt: undefined,
  route: '/a',
  countsAsUse: true,
}

function table() {
  const clock = createFakeClock()
  const published = createPublishedResponses(clock)
  const bodyOf = (url: string, allowed: Staleness = 'none') => {
    const found = published.find(url, allowed)
    return found?.response.selectionFor(['identity']).accepted[0].body.bytes.toString()
  }
  return { clock, published, bodyOf }
}

test('finds a response by each URL that stands for it, until it is retired', () => {
  const { published, bodyOf } = table()
  published.publish('a', responseOf('one'), Infinity)
  for (const url of ['/a', '/a?utm=1']) published.remember(url, address)
  expect([bodyOf('/a'), bodyOf('/a?utm=1'), bodyOf('/b')]).toEqual(['one', 'one', undefined])
  published.publish('a', responseOf('two'), Infinity)
  expect(bodyOf('/a')).toBe('two')
  published.retire('a')
  expect(bodyOf('/a', 'any')).toBeUndefined()
})

test('retires everything that one site has published', () => {
  const { published, bodyOf } = table()
  for (const site of ['ashton', 'ashton-park']) {
    published.publish(`${site} a`, responseOf(site), Infinity)
    published.remember(`${site} /a`, { ...address, site, key: `${site} a` })
  }
  published.retireSite('ashton')
  expect([bodyOf('ashton /a', 'any'), bodyOf('ashton-park /a')]).toEqual([undefined, 'ashton-park'])
})

test('finds an outdated response only if that is allowed', async () => {
  const { clock, published, bodyOf } = table()
  published.publish('a', responseOf('one'), clock.now())
  published.remember('/a', address)
  expect([bodyOf('/a'), bodyOf('/a', 'recent')]).toEqual([undefined, 'one'])
  await clock.advance(59_999)
  expect(bodyOf('/a', 'recent')).toBe('one')
  await clock.advance(1)
  expect([bodyOf('/a', 'recent'), bodyOf('/a', 'any')]).toEqual([undefined, 'one'])
  published.publish('a', responseOf('one'), -Infinity)
  expect([bodyOf('/a', 'recent'), bodyOf('/a', 'any')]).toEqual([undefined, 'one'])
})

test('never finds the response of a link that has ended or was edited', async () => {
  const { clock, published, bodyOf } = table()
  published.publish('a', responseOf('one'), Infinity)
  published.remember('/l/key/a', { ...address, link: 'link 1' })
  expect(bodyOf('/l/key/a', 'any')).toBeUndefined()
  published.setLinks('', new Map([['link 1', clock.now() + 1_000]]))
  expect(bodyOf('/l/key/a')).toBe('one')
  await clock.advance(1_000)
  expect(bodyOf('/l/key/a', 'any')).toBeUndefined()
  published.setLinks('', new Map([['link 2', Infinity]]))
  expect(bodyOf('/l/key/a', 'any')).toBeUndefined()
})

test('keeps only responses with a known URL when their maker exits', () => {
  const { published, bodyOf } = table()
  const sent = createSentResponses()
  for (const [key, maker] of Object.entries({ a: 1, b: 1, other: 0 })) {
    published.receive(maker, key, sent.remember(key, responseOf(key)), Infinity)
  }
  for (const key of ['a', 'other']) published.remember(`/${key}`, { ...address, key })
  published.expire(1)
  published.remember('/b', { ...address, key: 'b' })
  expect([bodyOf('/a'), bodyOf('/a', 'any'), bodyOf('/b', 'any')]).toEqual([
    undefined,
    'a',
    undefined,
  ])
  expect(bodyOf('/other')).toBe('other')
})

test('drops the responses of a maker that has exited once their site has started again', () => {
  const { published, bodyOf } = table()
  const sent = createSentResponses()
  for (const key of ['ashton a', 'ashton b', 'milbrook a']) {
    const [site = ''] = key.split(' ')
    published.receive(1, key, sent.remember(key, responseOf(key)), Infinity)
    published.remember(key, { ...address, site, key })
  }
  published.expire(1)
  published.receive(1, 'ashton b', sent.remember('new', responseOf('new')), Infinity)
  expect(bodyOf('ashton a', 'any')).toBe('ashton a')
  published.setLinks('ashton', new Map())
  expect(bodyOf('ashton a', 'any')).toBeUndefined()
  expect(bodyOf('ashton b')).toBe('new')
  expect(bodyOf('milbrook a', 'any')).toBe('milbrook a')
})

test('forgets a URL, but no other URL of the same response', () => {
  const { published, bodyOf } = table()
  published.publish('a', responseOf('one'), Infinity)
  for (const url of ['/a', '/b']) published.remember(url, address)
  published.forget('/a')
  expect([bodyOf('/a', 'any'), bodyOf('/b')]).toEqual([undefined, 'one'])
})

test('sends each body once, and takes the others from the response before', () => {
  const sent = createSentResponses()
  const first = responseOf('one')
  const whole = receivedResponse(sent.remember('a', first), undefined)
  expect(whole).toEqual(first)
  const next = { ...first, encodings: { ...first.encodings, br: encoded('one br') } }
  const message = sent.remember('a', next)
  expect(message.encodings.map(({ coding, bytes }) => [coding, bytes?.length])).toEqual([
    ['br', 6],
    ['gzip', undefined],
    ['identity', undefined],
  ])
  expect(receivedResponse(message, whole)).toEqual(next)
  sent.forget('a')
  expect(sent.remember('a', next).encodings.every(({ bytes }) => bytes)).toBe(true)
  expect(receivedResponse(message, undefined)).toBeUndefined()
})

test('sends only the gzip encoding of a small body, and all encodings of a large one', async () => {
  const sent = createSentResponses()
  const largest = 256 * 1024
  const received = async (length: number) => {
    const body = Buffer.alloc(length, 'text')
    const encodings = await encodingsOf(body)
    const message = sent.remember(String(length), { ...responseOf('one'), encodings })
    const { identity } = receivedResponse(structuredClone(message), undefined)?.encodings ?? {}
    expect(identity?.bytes.equals(body)).toBe(true)
    expect(identity).toMatchObject({ length, etag: etagOf(body) })
    return message.encodings.flatMap(({ coding, bytes }) => (bytes ? [coding] : []))
  }
  expect(await received(largest)).toEqual(['gzip'])
  expect(await received(largest + 1)).toEqual(['gzip', 'identity'])
  expect(await received(1)).toEqual(['identity'])
})
