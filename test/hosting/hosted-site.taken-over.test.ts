import { describe, expect, test } from 'vitest'
import { waitFor } from '../support/wait-for.ts'
import { second, siteOf } from './hosted-site.ts'

describe('a hosted site that another host has taken over', () => {
  test('stops, and removes its responses on this host, which may have been revoked', async () => {
    const { clock, noted, attempts, started } = siteOf()
    const host = await started()
    host.lost()
    await clock.advance(0)
    expect(noted).toEqual(['removed here', 'site 1 stops waiting', 'site 1 disposed'])
    await clock.advance(2_000)
    expect(attempts).toHaveLength(2)
  })

  test('lets requests wait until it is back, or for five seconds', async () => {
    const { clock, attempts, responses, started, asked } = siteOf()
    const host = await started()
    host.lost()
    await clock.advance(0)
    const early = asked()
    await clock.advance(2_000)
    const late = asked()
    await clock.advance(3_000)
    expect([early, late].map((response) => response.writableEnded)).toEqual([true, false])
    attempts[1]?.resolve()
    await waitFor(() => expect(responses).toEqual([late]))
  })

  test('keeps running if only its previous settings are affected', async () => {
    const { clock, noted, attempts, change, started } = siteOf()
    const host = await started()
    await change(second)
    host.lost()
    attempts[1]?.resolve()
    await clock.advance(0)
    expect(noted).not.toContain('site 2 stops waiting')
  })

  test('stops as soon as it has started if that happened during the start', async () => {
    const { clock, noted, attempts, begin } = siteOf()
    const { started } = await begin()
    attempts[0]?.host.lost()
    expect(noted).toEqual(['removed here'])
    attempts[0]?.resolve()
    await started
    await clock.advance(0)
    expect(noted).toContain('site 1 disposed')
  })
})
