import { hourMs } from '../../clock.ts'
import type { FollowKeys } from '../../followers/follow-keys.ts'
import { maxWindowMs, type Limit, type Windows } from '../../store/store.ts'

/** New devices from one network, all together. */
export const devicesPerNetwork = [
  { windowMs: hourMs, max: 100 },
  { windowMs: maxWindowMs, max: 300 },
] as const

/**
 * New devices with lesser-known push services. Their endpoints may be made up, and messages bother
 * the owner of the host, but less common browsers should work too.
 */
export const otherDevicesPerNetwork = [{ windowMs: maxWindowMs, max: 5 }] as const
export const otherDevices = [{ windowMs: maxWindowMs, max: 50 }] as const

/** A window in which a sign-up is counted. */
type Counted = {
  readonly windows: Windows
  readonly name: string
  readonly limits: readonly Limit[]
}

/** Result of counting a sign-up. `name` is the window whose limit would have been exceeded. */
type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly name: string; readonly retryAfterMs: number }

/** Counts a sign-up in all windows, or in none of them if it would exceed a limit. */
async function takeFromAll(counted: readonly Counted[]): Promise<Admission> {
  const taken: (() => Promise<void>)[] = []
  for (const { windows, name, limits } of counted) {
    const result = await windows.take(name, limits)
    if (!result.ok) {
      for (const release of taken) await release()
      return { ...result, name }
    }
    taken.push(() => windows.release(name, result.id))
  }
  return { ok: true }
}

/** Counts a new device of a network, unless that would exceed a limit. */
export function admitDevice(
  { network, isKnownService }: { readonly network: string; readonly isKnownService: boolean },
  { windows, keys }: { readonly windows: Windows; readonly keys: FollowKeys },
): Promise<Admission> {
  const ofNetwork = (name: string, limits: readonly Limit[]) => {
    return { windows, name: keys.windowName(name, network), limits }
  }
  const others = [
    ofNetwork('other devices', otherDevicesPerNetwork),
    { windows, name: 'other devices', limits: otherDevices },
  ]
  return takeFromAll([ofNetwork('devices', devicesPerNetwork), ...(isKnownService ? [] : others)])
}
