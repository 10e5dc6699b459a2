import { describe, expect, test } from 'vitest'
import { createHostedSite } from '../../src/app/hosted-site.ts'
import { cacheBudgetPerSite } from '../../src/app/cache-budget.ts'
import { createLogger } from '../../src/log.ts'
import type { SiteService } from '../../src/app/site-service.ts'
import { createFakeClock } from '../support/fake-clock.ts'

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

/** Creates a hosted site and records calls to it. The test controls how it starts. */
function siteOf() {
  const clock = createFakeClock()
  const stopping = new AbortController()
  const noted: string[] = []
  const attempts: PromiseWithResolvers<SiteService>[] = []
  const service = {
    abortUpstream: () => void noted.push('stops waiting'),
    async [Symbol.asyncDispose]() {
      noted.push('disposed')
    },
  } as unknown as SiteService
  const site = createHostedSite(
    { name: 'ashton', config: { publicUrl: 'https://feeds.example/ashton' } as never },
    {
      startSite() {
        const attempt = Promise.withResolvers<SiteService>()
        attempts.push(attempt)
        return attempt.promise
      },
      clock,
      random: () => 1,
      log: createLogger('silent'),
    },
  )
  return { clock, stopping, noted, attempts, service, site }
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
})
