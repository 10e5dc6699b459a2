import { hourMs, minuteMs } from '../../clock.ts'
import type { FollowKeys } from '../../followers/follow-keys.ts'
import { mailboxOf } from '../../followers/mail-address.ts'
import type { SharedCounts } from '../../store/shared-counts.ts'
import { maxWindowMs, type Limit, type Windows } from '../../store/store.ts'
import { takeFromAll, type Admission } from '../../store/take-from-all.ts'

export const devicesPerNetwork = [
  { windowMs: hourMs, max: 100 },
  { windowMs: maxWindowMs, max: 300 },
] as const

/**
 * New devices with lesser-known push services. Their endpoints may be fake, and messages would
 * bother the host's owner, but less common browsers should work too.
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

/**
 * Maximum shares of the emails per day for confirmations, which anyone can request: of a site, of
 * all sites with the same mail account, and of a network.
 */
const confirmationShares = {
  site: { hour: 1 / 8 },
  account: { day: 1 / 2 },
  network: { hour: 1 / 16, day: 1 / 8 },
  /** Of all busy networks, half of each share above. The others get the rest. */
  busy: { hour: 1 / 16, day: 1 / 4 },
}

/** Confirmation emails from all sites for which a network does not count as busy. */
const fewPerNetwork = [
  { windowMs: hourMs, max: 1 },
  { windowMs: maxWindowMs, max: 6 },
] as const

/** Confirmation emails to a mailbox from one site, and from all sites. */
const perMailbox = {
  site: [{ windowMs: 10 * minuteMs, max: 1 }],
  all: [{ windowMs: maxWindowMs, max: 4 }],
}

type EmailLimits = {
  readonly windows: Windows
  readonly shared: SharedCounts
  readonly keys: FollowKeys
  /** Name of the mail account. */
  readonly account: string
  readonly maxPerDay: number
}

/** `isEnough` means that only the mailbox has too many emails, which must not be revealed. */
type EmailAdmission =
  | { readonly ok: true }
  | { readonly ok: false; readonly isEnough: boolean; readonly retryAfterMs: number }

/** Counts a confirmation email, unless that would exceed a limit. */
export async function admitEmail(
  { address, network }: { readonly address: string; readonly network: string },
  { windows, shared, keys, account, maxPerDay }: EmailLimits,
): Promise<EmailAdmission> {
  const { site, account: ofAccount, network: ofNetwork, busy } = confirmationShares
  const perHour = (share: number) => ({ windowMs: hourMs, max: Math.ceil(maxPerDay * share) })
  const perDay = (share: number) => ({ windowMs: maxWindowMs, max: Math.ceil(maxPerDay * share) })
  const mailbox = keys.windowName('mailbox', mailboxOf(address))
  const few = keys.windowName('few follow requests', network)
  const counted = [
    { windows, name: 'follow requests', limits: [perHour(site.hour)] },
    { windows: shared, name: `mail requests ${account}`, limits: [perDay(ofAccount.day)] },
    {
      windows: shared,
      name: keys.windowName('mail network', network),
      limits: [perHour(ofNetwork.hour), perDay(ofNetwork.day)],
    },
    { windows, name: mailbox, limits: perMailbox.site },
    { windows: shared, name: mailbox, limits: perMailbox.all },
  ]
  const ofBusy = [
    { windows, name: 'busy networks', limits: [perHour(busy.hour)] },
    { windows: shared, name: `busy networks ${account}`, limits: [perDay(busy.day)] },
  ]
  const first = await takeFromAll([
    { windows: shared, name: few, limits: fewPerNetwork },
    ...counted,
  ])
  const isBusy = !first.ok && first.name === few
  const admission = isBusy ? await takeFromAll([...ofBusy, ...counted]) : first
  return admission.ok ? admission : { ...admission, isEnough: admission.name === mailbox }
}
