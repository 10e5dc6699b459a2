import { describe, expect, test } from 'vitest'
import {
  applyFailed,
  settingsChanged,
  settingsToApply,
  siteStarted,
  takenOutOfService,
  takenOver,
  type HostedSiteState,
} from '../../src/hosting/hosted-site.ts'
import { first, second, settingsAt } from './hosted-site.ts'

const runningWith = (settings: typeof first) =>
  ({ settings, site: {} }) as unknown as NonNullable<HostedSiteState['running']>

const running = siteStarted({ kind: 'starting', wanted: first }, runningWith(first))

describe('the state of a hosted site', () => {
  test('keeps stored settings effective while those of the sites file wait for a retry', () => {
    const failed = applyFailed(settingsChanged(running, second), 1_000, 0)
    expect(failed.failure).toEqual({ retryAt: 61_000 })
    expect(settingsToApply(failed, 60_999)).toBe(first)
    expect(settingsToApply(failed, 61_000)).toBe(second)
    const replaced = siteStarted(failed, runningWith(first))
    expect(replaced).toMatchObject({ wanted: second, failure: { retryAt: 61_000 } })
    expect(siteStarted(replaced, runningWith(second)).failure).toBeUndefined()
  })

  test('does not delay stored settings that cannot be applied', () => {
    expect(applyFailed(running, 1_000, 0).failure).toEqual({ retryAt: 1_000 })
  })

  test('does not extend the delay of settings from the sites file', () => {
    const failed = applyFailed({ kind: 'starting', wanted: first }, 1_000, 1)
    expect(applyFailed(failed, 90_999, 1).failure).toEqual({ retryAt: 91_000 })
    expect(applyFailed(failed, 91_000, 1).failure).toEqual({ retryAt: 181_000 })
  })

  test('forgets a failure when the settings change, but not when they stay the same', () => {
    const failed = applyFailed({ kind: 'starting', wanted: first }, 1_000, 0)
    expect(settingsChanged(failed, settingsAt(first.config.publicUrl ?? ''))).toBe(failed)
    expect(settingsChanged(failed, second)).toEqual({ kind: 'starting', wanted: second })
  })

  test('keeps a failure when another host takes over, but not while a backup is restored', () => {
    const failed = applyFailed(settingsChanged(running, second), 1_000, 0)
    expect(takenOver(failed)).toEqual({ kind: 'starting', wanted: second, failure: failed.failure })
    expect(takenOutOfService(failed)).toEqual({ kind: 'restoring', wanted: second })
  })
})
