import { hourMs } from '../../clock.ts'
import type { FollowKeys } from '../../followers/follow-keys.ts'
import { maxWindowMs, type Limit, type Windows } from '../../store/store.ts'
import { takeFromAll, type Admission } from '../../store/take-from-all.ts'

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
