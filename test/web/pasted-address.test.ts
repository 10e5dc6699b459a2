import { afterAll, describe, expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'
import { exchange, requestText } from '../support/raw-http.ts'

const service = await startTestService({ publicFeedIds: ['events', 'news'] })
afterAll(() => service[Symbol.asyncDispose]())
await exchange(service.url, requestText('/events.ics'))

async function redirectOf(target: string, method = 'GET') {
  const { status, headers } = await exchange(service.url, requestText(target, { method }))
  return status === 301 ? headers['location'] : status
}

test.for([
  ['/events.ics%20', '/events.ics'],
  ['/events.ics%0A', '/events.ics'],
  ['/events.ics%C2%A0', '/events.ics'],
  ['/events.ics%E2%80%8B', '/events.ics'],
  ['/events.ics.', '/events.ics'],
  ['/events.ics,', '/events.ics'],
  ['/events.ics)', '/events.ics'],
  ['/events.ics%3E.', '/events.ics'],
  ['/events.ics%E2%80%9D', '/events.ics'],
  ['/%20events.ics', '/events.ics'],
  ['/%20', '/'],
  ['/Events.ics', '/events.ics'],
  ['/EVENTS.ICS', '/events.ics'],
  ['/EVENTS.ICS?ALARM=30', '/events.ics?alarm=30'],
  ['/Events.ics.?q=BBQ', '/events.ics?q=BBQ'],
  ['/events.ics%3Falarm=30', '/events.ics?alarm=30'],
  ['/events.ics?alarm=30&amp;past=7', '/events.ics?alarm=30&past=7'],
  ['/events.ics?alarm=30%20', '/events.ics?alarm=30'],
  ['/events.ics?alarm=30).', '/events.ics?alarm=30'],
  ['/events.ics?alarm=30%E2%80%9D,', '/events.ics?alarm=30'],
  ['/board&width=1920&height=1080', '/board?width=1920&height=1080'],
  ['/board&width=1920?rows=5', '/board?width=1920&rows=5'],
  ['/board%26width=1920', '/board?width=1920'],
  ['/board?theme=light?width=1920', '/board?theme=light&width=1920'],
  ['/board.json&_=7', '/board.json?_=7'],
  ['/feeds.', '/feeds'],
  ['/FEEDS', '/feeds'],
  ['/news/1)', '/news/1'],
  ['/news/%7B1%7D', '/news/%7B1'],
  ['/embed?feed=events&amp;limit=3', '/embed?feed=events&limit=3'],
  ['/?lang=fr-CA', '/?lang=fr'],
  ['/month/2026-03?show=events,news&lang=ES-419', '/month/2026-03?show=events,news&lang=es'],
  ['/events.ics?lang=de-AT&alarm=30', '/events.ics?lang=de&alarm=30'],
  ['/events.rss?lang=en-GB).', '/events.rss?lang=en'],
  ['/embed/events?lang=FR', '/embed/events?lang=fr'],
] as const)('redirects %s to %s', async ([target, location]) => {
  expect(await redirectOf(target)).toBe(location)
  expect(await redirectOf(target, 'HEAD')).toBe(location)
})

test.for([
  ['/nothing.', 404],
  ['/nothing%20', 404],
  ['/Nothing', 404],
  ['/events.ics/', 404],
  ['/news/%7B1', 404],
  ['/month/%5B2026-12', 400],
  ['//a.example/events.ics.', 404],
  ['/%2Fa.example%20', 404],
  ['/events.ics?alarm=x', 400],
  ['/events.ics?lang=pt-BR', 400],
  ['/events.ics?lang=fr-', 400],
  ['/events.ics?lang=fr&alarm=x', 400],
  ['/board?show=events&lang=fr-CA', 200],
  ['/board?x&width=1920&height=1080', 200],
  ['/nothing&width=1920', 404],
  ['/events.ics?q=fish%26chips?', 200],
  ['/events.ics?alarm=%22%3E%3Cscript%3E', 400],
  ['/events.ics?alarm=(30)', 400],
  ['/events.ics?q=%22pancake%20breakfast%22.', 200],
] as const)('responds to %s with %s', async ([target, status]) => {
  expect(await redirectOf(target)).toBe(status)
})

test('does not redirect to another host', async () => {
  const paths = ['/%5Ca.example/.', '//a.example/feeds.', '/\\a.example/feeds)']
  const escaped = ['//a.example/', '/\\a.example/', '///a.example/', 'x://y//a.example/', 'x://y']
  for (const target of [...paths, ...escaped.map((path) => `${path}?a=1&amp;b=2`)]) {
    expect(await redirectOf(target)).toSatisfy((each) => typeof each === 'number')
  }
})

test('handles very long runs of such characters quickly', async () => {
  const start = performance.now()
  for (const target of [`/${'.'.repeat(8_000)}x`, `/events.ics?alarm=${').'.repeat(4_000)}`]) {
    expect(await redirectOf(target)).toBeTruthy()
  }
  expect(performance.now() - start).toBeLessThan(1_000)
})

describe('below a feed link', () => {
  test('redirects pasted addresses', async () => {
    const { pathname } = new URL(await service.addLink({ profile: 'members' }))
    const shouted = pathname.toUpperCase()
    expect(await redirectOf(`${pathname}calendar.ics.`)).toBe(`${pathname}calendar.ics`)
    expect(await redirectOf(`${shouted}CALENDAR.ICS`)).toBe(`${pathname}calendar.ics`)
    expect(await redirectOf(`${pathname}).`)).toBe(pathname)
    expect(await redirectOf(`${pathname.slice(0, -1)}).`)).toBe(pathname)
    expect(await redirectOf(`${pathname}board&width=9`)).toBe(`${pathname}board?width=9`)
    expect(await redirectOf('/l/unknown).')).toBe(404)
  })

  test('only browsers may cache the redirect, whose target contains a key or token', async () => {
    const { pathname } = new URL(await service.addLink({ profile: 'members' }))
    const below = ['Events.ics', 'events.ics?alarm=30).', 'events.ics&amp;past=7']
    const paths = [...below.map((path) => `${pathname}${path}`), '/follow/manage/a?b=1&amp;c=2']
    for (const path of paths) {
      const { status, headers } = await exchange(service.url, requestText(path))
      expect([path, status, headers['cache-control']]).toEqual([path, 301, 'private, no-cache'])
    }
  })

  test('keeps the key private in any spelling of the address', async () => {
    const { pathname } = new URL(await service.addLink({ profile: 'members' }))
    const key = pathname.slice('/l/'.length, -1)
    const spellings = [
      [`/L/${key}/all.ics`, 301],
      [`/L/${key}/EVENTS.ICS`, 301],
      [`/%4C/${key}/calendar.ics`, 301],
      [`/%20l/${key}/calendar.ics`, 301],
      [`/%E2%80%9C(L/${key}/calendar.ics`, 301],
      [`/L/${key}/board?a=1&amp;b=2`, 301],
      [`/L%2F${key}/`, 301],
      [`/l/${key}/feeds?lang=fr-CA`, 301],
      [`/l/${key})`, 301],
      [`/%6c/${key}/%ff`, 404],
      [`/L/${key}/nothing`, 404],
      [`//l/${key}/`, 404],
    ] as const
    for (const [path, expected] of spellings) {
      const { status, headers } = await exchange(service.url, requestText(path))
      expect([path, status]).toEqual([path, expected])
      expect([path, headers]).toMatchObject([
        path,
        {
          'cache-control': expected === 301 ? 'private, no-cache' : 'no-store',
          'referrer-policy': 'no-referrer',
          'x-robots-tag': 'noindex',
        },
      ])
    }
  })
})
