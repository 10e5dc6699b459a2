import { describe, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { first, second, settingsAt, siteOf } from './hosted-site.ts'

describe('the start of a hosted site', () => {
  test('comes before the starts of other sites once a request waits for it', async () => {
    const { noted, asked, begin, attempts } = siteOf()
    const { started } = await begin()
    expect(noted).toEqual([])
    asked()
    expect(noted).toEqual(['next'])
    attempts[0]?.resolve()
    await started
    asked()
    expect(noted.filter((each) => each === 'next')).toHaveLength(1)
  })

  test('is retried after at least a minute if it fails', async () => {
    const { clock, attempts, site, failed } = siteOf()
    await failed()
    expect(await site.status()).toBeUndefined()
    await clock.advance(89_000)
    expect(attempts).toHaveLength(1)
    await clock.advance(1_000)
    expect(attempts).toHaveLength(2)
    attempts[1]?.resolve()
    await clock.advance(200_000)
    expect(attempts).toHaveLength(2)
  })

  test('is not retried, but rejects, if the process has no other site', async () => {
    const { clock, attempts, failed } = siteOf(true)
    await expect(failed()).rejects.toThrow('no store')
    await clock.advance(200_000)
    expect(attempts).toHaveLength(1)
  })

  test('is not a problem until it takes too long', async () => {
    const { clock, attempts, site, begin } = siteOf()
    const { started } = await begin()
    await clock.advance(299_000)
    expect(await site.status()).toMatchObject({ ok: null, state: 'starting' })
    await clock.advance(1_000)
    expect(await site.status()).toBeUndefined()
    attempts[0]?.resolve()
    await started
  })

  test('holds requests, for at most five seconds', async () => {
    const { clock, attempts, responses, asked, begin } = siteOf()
    const { started } = await begin()
    const early = asked()
    await clock.advance(4_999)
    expect(early.writableEnded).toBe(false)
    await clock.advance(1)
    expect([early.statusCode, early.writableEnded]).toEqual([503, true])
    const held = asked()
    attempts[0]?.resolve()
    await started
    await clock.advance(0)
    expect(responses).toEqual([held])
  })

  test('holds requests of feed readers for at most half a minute', async () => {
    const { clock, asked, begin } = siteOf()
    await begin()
    const held = asked({}, '/news.rss?limit=5')
    await clock.advance(29_999)
    expect(held.writableEnded).toBe(false)
    await clock.advance(1)
    expect([held.statusCode, held.writableEnded]).toEqual([503, true])
  })

  test('does not hold requests of a front that has an outdated response', async () => {
    const { noted, asked, begin } = siteOf()
    await begin()
    const { statusCode, writableEnded } = asked({ 'if-none-match': '"a"' })
    expect([statusCode, writableEnded]).toEqual([503, true])
    expect(noted).toEqual(['next'])
  })

  test('is not retried after the process starts to stop', async () => {
    const { clock, attempts, site, failed } = siteOf()
    await failed()
    await site[Symbol.asyncDispose]()
    await clock.advance(200_000)
    expect(attempts).toHaveLength(1)
  })

  test.for(['abort', 'remove'] as const)('does not serve if it ends after %s', async (stop) => {
    const { noted, attempts, site, begin } = siteOf()
    const { started } = await begin()
    const stopped = site[stop]()
    attempts[0]?.resolve()
    await started
    await stopped
    expect(noted.at(-1)).toBe('site 1 disposed')
    expect(await site.status()).toMatchObject({ state: 'starting' })
  })
})

describe('a hosted site whose settings change', () => {
  test('serves with its old settings until it has started with the new ones', async () => {
    const { noted, attempts, site, started, change } = siteOf()
    await started()
    await change(second)
    expect(site.publicUrl).toBe('https://feeds.example/ashton')
    expect(noted).toEqual([])
    attempts[1]?.resolve()
    await waitFor(() =>
      expect(noted).toEqual(['replaced', 'removed', 'resumed', 'site 1 disposed']),
    )
    expect(site.publicUrl).toBe('https://ashton.example')
    expect(await site.status()).toMatchObject({ ok: true, sentences: ['site 2'] })
  })

  test('finishes the requests that it has received, for at most ten seconds', async () => {
    const { clock, noted, responses, started, replace, asked } = siteOf()
    await started()
    const [short, long] = [asked(), asked()]
    await replace(second)
    const next = asked()
    expect(responses).toEqual([short, long, next])
    short.emit('close')
    await clock.advance(9_999)
    expect(noted).not.toContain('site 1 disposed')
    await clock.advance(1)
    expect(noted).toContain('site 1 disposed')
  })

  test('is disposed as soon as its last response has ended', async () => {
    const { clock, noted, started, replace, asked } = siteOf()
    await started()
    const open = asked()
    await replace(second)
    await clock.advance(1)
    expect(noted).not.toContain('site 1 disposed')
    open.emit('close')
    await clock.advance(0)
    expect(noted).toContain('site 1 disposed')
  })

  test('waits for requests to no more than one replaced site', async () => {
    const { clock, noted, started, replace, asked } = siteOf()
    await started()
    for (const settings of [second, first]) {
      asked()
      await replace(settings)
    }
    await clock.advance(0)
    expect(noted).toContain('site 1 disposed')
    expect(noted).not.toContain('site 2 disposed')
  })

  test('applies a change made while it is starting with another one', async () => {
    const { noted, attempts, site, started, change } = siteOf()
    await started()
    await change(second)
    site.change(settingsAt('https://latest.example'))
    attempts[1]?.resolve()
    await waitFor(() => expect(attempts).toHaveLength(3))
    expect(site.publicUrl).toBe('https://ashton.example')
    attempts[2]?.resolve()
    await waitFor(() => expect(noted).toContain('site 2 disposed'))
    expect(site.publicUrl).toBe('https://latest.example')
  })

  test('applies a change that is made while it starts for the first time', async () => {
    const { attempts, site, begin } = siteOf()
    const { started } = await begin()
    site.change(second)
    expect(attempts).toHaveLength(1)
    attempts[0]?.resolve()
    await started
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.resolve()
    await waitFor(() => expect(site.publicUrl).toBe('https://ashton.example'))
  })

  test('applies changes of an admin and of the sites file at the same moment at once', async () => {
    const { clock, noted, attempts, site, started, store } = siteOf()
    const host = await started()
    store()
    site.change(second)
    const saved = host.settingsSaved()
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.resolve()
    expect(await saved).toBe(true)
    await clock.advance(10_000)
    expect(attempts).toHaveLength(2)
    expect(site.publicUrl).toBe('https://ashton.example')
    expect(noted).toEqual(['replaced', 'removed', 'resumed', 'site 1 disposed'])
  })

  test('is saved only after the front has cleared its cache', async () => {
    const { clock, noted, attempts, started, store, confirmAfter } = siteOf()
    const host = await started()
    const confirmed = Promise.withResolvers<void>()
    confirmAfter(confirmed.promise)
    store()
    let isSaved = false
    void host.settingsSaved().then(() => (isSaved = true))
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.resolve()
    await waitFor(() => expect(noted).toContain('removed'))
    await clock.advance(0)
    expect(isSaved).toBe(false)
    confirmed.resolve()
    await waitFor(() => expect(isSaved).toBe(true))
  })

  test('says that its new settings cannot be applied yet, until they are reverted', async () => {
    const { clock, noted, attempts, site, started, change } = siteOf()
    await started()
    await change(second)
    attempts[1]?.reject(new Error('no store'))
    await waitFor(async () => expect((await site.status())?.ok).toBe(false))
    expect((await site.status())?.sentences).toEqual([
      expect.stringContaining('cannot be applied yet'),
      'site 1',
    ])
    site.change(first)
    await clock.advance(200_000)
    expect(await site.status()).toEqual({ ok: true, state: 'ok', sentences: ['site 1'] })
    expect(attempts).toHaveLength(2)
    expect(noted).toEqual([])
  })

  test('applies a correction of the sites file at once, without waiting for the next retry', async () => {
    const { attempts, site, started, change, replace } = siteOf()
    await started()
    await change(second)
    attempts[1]?.reject(new Error('no such host'))
    await waitFor(async () => expect((await site.status())?.ok).toBe(false))
    await replace(settingsAt('https://corrected.example'))
    expect(await site.status()).toMatchObject({ ok: true })
  })

  test('applies settings saved by an admin while its sites file entry cannot be applied', async () => {
    const { clock, attempts, site, started, change, store } = siteOf()
    const host = await started()
    await change(second)
    attempts[1]?.reject(new Error('no such host'))
    await waitFor(async () => expect((await site.status())?.ok).toBe(false))
    store()
    const saved = host.settingsSaved()
    await waitFor(() => expect(attempts).toHaveLength(3))
    attempts[2]?.resolve()
    expect(await saved).toBe(true)
    expect(site.publicUrl).toBe('https://feeds.example/ashton')
    expect((await site.status())?.sentences[0]).toContain('cannot be applied yet')
    await clock.advance(92_000)
    attempts[3]?.resolve()
    await waitFor(() => expect(site.publicUrl).toBe('https://ashton.example'))
    expect(await site.status()).toMatchObject({ ok: true })
  })

  test('tries stored settings again every two seconds', async () => {
    const { clock, attempts, site, started, store } = siteOf()
    const host = await started()
    store()
    const saved = host.settingsSaved()
    await waitFor(() => expect(attempts).toHaveLength(2))
    attempts[1]?.reject(new Error('no store'))
    expect(await saved).toBe(false)
    expect((await site.status())?.ok).toBe(false)
    await clock.advance(2_000)
    expect(attempts).toHaveLength(3)
    attempts[2]?.resolve()
    await waitFor(async () => expect((await site.status())?.ok).toBe(true))
  })

  test('is not replaced if only the content of its refresh token file has changed', async () => {
    const { clock, attempts, site, started, replace } = siteOf()
    const url = 'https://ashton.example'
    const tokenAs = (refreshToken: string) =>
      settingsAt(url, { refreshToken, refreshTokenFile: '/run/secrets/ashton' })
    await started()
    await replace(tokenAs('one'))
    site.change(tokenAs('two'))
    await clock.advance(10_000)
    expect(attempts).toHaveLength(2)
  })
})
