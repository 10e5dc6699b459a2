import { describe, expect, test } from 'vitest'
import { minuteMs } from '../../../src/clock.ts'
import { sampleDatasetOn } from '../../../src/sandbox/sample/sample-dataset.ts'
import { openFrontedServer } from '../../support/fronted-server.ts'
import { exchangeUrl } from '../../support/raw-http.ts'
import { sharedService } from '../../support/shared-service.ts'
import { waitUntil } from '../../support/wait-for.ts'

const field = 'feedhouse-unknown-parameters'

const website = { title: 'Open house' }
const sample = sampleDatasetOn('2026-03-05')

const options = {
  publicFeedIds: ['events', 'news', 'rental'],
  sandbox: {
    datasetOn: () => ({
      ...sample,
      events: sample.events.map((event) => ({ ...event, title: website.title })),
    }),
  },
}
const services = {
  'the front': sharedService({ ...options, openServer: openFrontedServer }),
  Express: sharedService(options),
}

describe.for(['the front', 'Express'] as const)('%s', (way) => {
  const service = services[way]
  const ask = (path: string, headers = {}) => exchangeUrl(`${service().url}${path}`, headers)
  const sent = async (path: string) => (await ask(path)).headers[field]

  test.for([
    ['/events.ics?alram=30', '"alram";suggestion="alarm"'],
    ['/events.ics?alarm=30&foo=secret', '"foo"'],
    // Options of other feeds and formats.
    ['/events.ics?limit=5', '"limit"'],
    ['/events.ics?show=events', '"show"'],
    ['/events.rss?alarm=5', '"alarm"'],
    ['/events.atom?limits=5', '"limits";suggestion="limit"'],
    ['/news.json?categry=5&foo=1', '"categry";suggestion="category", "foo"'],
    ['/all.ics?shw=events', '"shw";suggestion="show"'],
    ['/all.rss?dedupe=1', '"dedupe"'],
    ['/events.ics?lang=es&utm_source=x&again=1&alram=30', '"alram";suggestion="alarm"'],
    ['/events.ics?lang=es&download=1&utm_source=x&again=1&alarm=30', undefined],
    ['/all.ics?show=events&dedupe=1', undefined],
    ['/events.ics', undefined],
  ] as const)('answers %s with the unknown parameters %s', async ([path, expected]) => {
    for (const _again of [1, 2]) {
      const { status, headers } = await ask(path)
      expect([status, headers[field]]).toEqual([200, expected])
    }
  })

  test('answers with the plain feed, and lets scripts read the header', async () => {
    const plain = await ask('/events.ics')
    const { body, headers } = await ask('/events.ics?alram=30')
    expect(body.equals(plain.body)).toBe(true)
    const { [field]: value, ...others } = headers
    expect(value).toBe('"alram";suggestion="alarm"')
    expect(others).toEqual(plain.headers)
    expect(headers['access-control-expose-headers']).toBe('ETag, Feedhouse-Unknown-Parameters')
  })

  test('sends the header with 304 and HEAD', async () => {
    const url = '/events.ics?alram=31'
    const { headers } = await ask(url)
    const known = { 'If-None-Match': headers['etag'] ?? '' }
    const again = await ask(url, known)
    expect([again.status, again.headers[field]]).toEqual([304, headers[field]])
    expect((await ask('/events.ics', known)).headers).not.toHaveProperty(field)
    const head = await exchangeUrl(`${service().url}${url}`, {}, 'HEAD')
    expect(head.headers).toEqual(headers)
  })

  test('sends the header below a link', async () => {
    const link = await service().addLink({ feedIds: ['events', 'news'] })
    const base = link.slice(service().url.length)
    expect(await sent(`${base}events.ics?alram=30`)).toBe('"alram";suggestion="alarm"')
    expect(await sent(`${base}my.rss?limt=3`)).toBe('"limt";suggestion="limit"')
    expect(await sent(`${base}my.ics?limit=3`)).toBe('"limit"')
    expect(await sent(`${base}my.ics?show=events`)).toBeUndefined()
  })
})

test('keeps the header with its URL, before and after a change', async () => {
  const { clock, url: origin, lines } = services['the front']()
  // The order differs, so that either kind of URL is the first of its representation.
  const expected = new Map([
    ['/events.rss', undefined],
    ['/events.rss?alram=30', '"alram"'],
    ['/events.rss?fob=1', '"fob"'],
    ['/events.atom?fob=1', '"fob"'],
    ['/events.atom', undefined],
    ['/events.atom?lmit=30', '"lmit";suggestion="limit"'],
  ])
  const ask = (path: string) => exchangeUrl(`${origin}${path}`)
  const handled = () => lines.filter((line) => line.includes('"id":')).length

  async function check(title: string): Promise<void> {
    for (const paths of [[...expected.keys()], [...expected.keys()].toReversed()]) {
      for (const path of paths) {
        const { headers, body } = await ask(path)
        expect([path, headers[field]]).toEqual([path, expected.get(path)])
        expect(body.toString()).toContain(title)
      }
    }
  }

  await check('Open house')
  website.title = 'Chicken supper'
  await clock.advance(30 * minuteMs)
  for (const path of expected.keys()) {
    await waitUntil(async () => (await ask(path)).body.toString().includes('Chicken supper'))
  }
  await check('Chicken supper')
  const before = handled()
  await check('Chicken supper')
  expect(handled()).toBe(before)
})
