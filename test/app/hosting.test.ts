import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createHostedSite, type StartedSite } from '../../src/app/hosted-site.ts'
import { cacheBudgetPerSite } from '../../src/app/cache-budget.ts'
import type { NamedSite } from '../../src/config/sites-config.ts'
import { createLogger } from '../../src/log.ts'
import { createFakeClock } from '../support/fake-clock.ts'
import { waitFor } from '../support/wait-for.ts'

const mebibyte = 1024 * 1024

test.for([
  { sites: 1, variants: 64, pictures: 48 },
  { sites: 8, variants: 64, pictures: 32 },
  { sites: 500, variants: 512 / 500, pictures: 256 / 500 },
  { sites: 1000, variants: 512 / 1000, pictures: 256 / 1000 },
])('$sites sites stay within the process’s memory budget', ({ sites, variants, pictures }) => {
  const budget = cacheBudgetPerSite(sites)
  const { variantBytes, pictureBytes, pageBytes, calendarEntries } = budget
  expect(variantBytes).toBe(Math.floor(variants * mebibyte))
  expect(pictureBytes).toBe(Math.floor(pictures * mebibyte))
  expect(variantBytes * sites).toBeLessThanOrEqual(512 * mebibyte)
  expect(pageBytes * sites).toBeLessThanOrEqual(64 * mebibyte)
  expect(pictureBytes * sites).toBeLessThanOrEqual(256 * mebibyte)
  expect(calendarEntries * sites).toBeLessThanOrEqual(100_000)
})

const settingsAt = (publicUrl: string, site: object = {}) =>
  ({ name: 'ashton', config: { publicUrl, site } }) as unknown as NamedSite

/** Creates a hosted site and records calls to it. The test controls how it starts. */
function siteOf() {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const noted: string[] = []
  const attempts: PromiseWithResolvers<StartedSite>[] = []
  const serviceOf = (prefix = '') =>
    ({
      abortUpstream: () => void noted.push(`${prefix}stops waiting`),
      front: { listener: (_request: unknown, response: ServerResponse) => response.end('started') },
      activate: () => undefined,
      retireAll: () => void noted.push(`${prefix}retired`),
      status: async () => ({ ok: true, state: 'ok', sentences: [`${prefix}running`] }),
      async [Symbol.asyncDispose]() {
        noted.push(`${prefix}disposed`)
      },
    }) as unknown as StartedSite
  const service = serviceOf()
  const site = createHostedSite(settingsAt('https://feeds.example/ashton'), {
    replaced: () => void noted.push('replaced'),
    startSite() {
      const attempt = Promise.withResolvers<StartedSite>()
      attempts.push(attempt)
      return attempt.promise
    },
    clock,
    random: () => 1,
    log: createLogger('silent'),
  })
  return { clock, stopping, noted, attempts, service, serviceOf, site }
}

describe('a hosted site', () => {
  test('is retried after at least a minute if it cannot start', async () => {
    const { clock, stopping, attempts, service, site } = siteOf()
    const started = site.start(stopping.signal)
    attempts[0]?.reject(new Error('no store'))
    await started
    expect(await site.status()).toBeUndefined()
    await clock.advance(89_000)
    expect(attempts).toHaveLength(1)
    await clock.advance(1_000)
    expect(attempts).toHaveLength(2)
    attempts[1]?.resolve(service)
    await clock.advance(200_000)
    expect(attempts).toHaveLength(2)
    stopping.abort()
    await site[Symbol.asyncDispose]()
  })

  test('is starting, which is not a problem, until its start takes too long', async () => {
    const { clock, stopping, attempts, service, site } = siteOf()
    const started = site.start(stopping.signal)
    await clock.advance(299_000)
    expect(await site.status()).toMatchObject({ ok: null, state: 'starting' })
    await clock.advance(1_000)
    expect(await site.status()).toBeUndefined()
    stopping.abort()
    attempts[0]?.resolve(service)
    await started
    await site[Symbol.asyncDispose]()
  })

  test('holds requests until it has started, for at most five seconds', async () => {
    const { clock, stopping, attempts, service, site } = siteOf()
    const started = site.start(stopping.signal)
    const askedNow = () => {
      const request = new IncomingMessage(new Socket())
      const response = new ServerResponse(request)
      site.listener(request, response)
      return response
    }
    const early = askedNow()
    await clock.advance(4_999)
    expect(early.writableEnded).toBe(false)
    await clock.advance(1)
    expect([early.statusCode, early.writableEnded]).toEqual([503, true])
    const held = askedNow()
    attempts[0]?.resolve(service)
    await started
    await clock.advance(0)
    expect([held.statusCode, held.writableEnded]).toEqual([200, true])
    stopping.abort()
    await site[Symbol.asyncDispose]()
  })

  test('is not retried after the process starts to stop', async () => {
    const { clock, stopping, attempts, site } = siteOf()
    const started = site.start(stopping.signal)
    attempts[0]?.reject(new Error('no store'))
    await started
    stopping.abort()
    await site[Symbol.asyncDispose]()
    await clock.advance(200_000)
    expect(attempts).toHaveLength(1)
  })

  test('is stopped if it starts while the process is stopping', async () => {
    const { stopping, noted, attempts, service, site } = siteOf()
    const started = site.start(stopping.signal)
    stopping.abort()
    site.abortUpstream()
    attempts[0]?.resolve(service)
    await started
    await site[Symbol.asyncDispose]()
    expect(noted).toEqual(['stops waiting', 'disposed'])
  })

  test('serves with its old settings until it has started with the new ones', async () => {
    const { stopping, noted, attempts, service, serviceOf, site } = siteOf()
    const started = site.start(stopping.signal)
    attempts[0]?.resolve(service)
    await started
    site.change(settingsAt('https://ashton.example'), stopping.signal)
    await waitFor(() => expect(attempts).toHaveLength(2))
    expect(site.publicUrl).toBe('https://feeds.example/ashton')
    attempts[1]?.resolve(serviceOf('new '))
    await waitFor(() => expect(noted).toEqual(['retired', 'replaced', 'disposed']))
    expect(site.publicUrl).toBe('https://ashton.example')
    stopping.abort()
    await site[Symbol.asyncDispose]()
  })

  test('says that its new settings cannot be applied yet, until they are reverted', async () => {
    const { clock, stopping, noted, attempts, service, site } = siteOf()
    const started = site.start(stopping.signal)
    attempts[0]?.resolve(service)
    await started
    site.change(settingsAt('https://ashton.example'), stopping.signal)
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.reject(new Error('no store'))
    await waitFor(async () => expect((await site.status())?.ok).toBe(false))
    expect((await site.status())?.sentences).toEqual([
      expect.stringContaining('cannot be applied yet'),
      'running',
    ])
    site.change(settingsAt('https://feeds.example/ashton'), stopping.signal)
    await clock.advance(200_000)
    expect(await site.status()).toEqual({ ok: true, state: 'ok', sentences: ['running'] })
    expect(attempts).toHaveLength(2)
    expect(noted).toEqual([])
    stopping.abort()
    await site[Symbol.asyncDispose]()
  })

  test('is not replaced if only its refresh token file has a new content', async () => {
    const { stopping, attempts, service, site } = siteOf()
    const url = 'https://ashton.example'
    const tokenAs = (refreshToken: string) =>
      settingsAt(url, { refreshToken, refreshTokenFile: '/run/secrets/ashton' })
    const started = site.start(stopping.signal)
    attempts[0]?.resolve(service)
    await started
    site.change(tokenAs('one'), stopping.signal)
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.resolve(service)
    await waitFor(() => expect(site.publicUrl).toBe(url))
    site.change(tokenAs('two'), stopping.signal)
    stopping.abort()
    await site[Symbol.asyncDispose]()
    expect(attempts).toHaveLength(2)
  })
})
