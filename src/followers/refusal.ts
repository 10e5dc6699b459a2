import { dayMs } from '../clock.ts'
import { isFollowing, isUnreached, type Follower } from './follower.ts'

/** Status codes for an address that does not exist (RFC 3463). */
export const noAddress = /^5\.(?:1\.(?:[12346]|10)|2\.1|4\.1)$/

/** Number of days with bounces for other reasons after which an address is rejected. */
const maxBounceDays = 4

/** Bounces that are further apart are unrelated. */
const bounceGapMs = 30 * dayMs

/** Consecutive failures within about a day. */
const failuresInDay = 9

/** Longer than a week, so that weekly emails that keep bouncing count. */
const recentMs = 8 * dayMs

/** If this many followers, and this share of all, are refused, the likely reason is the sender. */
const manyFollowers = 3
const manyShare = 0.1

/** The same for failures whose reason is unknown, or is not about the sender. */
const mostShare = 0.5

/**
 * Status codes without a reason, for a server that could not be reached in time, and for the
 * recipient's address or mailbox, except for those of a wrong sender address.
 */
const notAboutSender = /^(?:4\.|5\.0\.|5\.1\.(?![78]$)|5\.2\.)/

/** Returns the follower without the address, which must not be used again. */
export function rejected(follower: Follower, now: number): Follower {
  const { address: _, invited, ...rest } = follower
  return { ...rest, ...(invited && { invited: { at: invited.at } }), rejectedAt: now }
}

/** Returns the follower after an email has bounced permanently, with a status code (RFC 3463). */
export function afterBounce(
  follower: Follower,
  status: string,
  { now, mayReject }: { readonly now: number; readonly mayReject: boolean },
): Follower {
  if (noAddress.test(status)) return rejected(follower, now)
  const { days: before = 0, at = -Infinity } = follower.bounced ?? {}
  if (now < at + dayMs) return follower
  const days = now < at + bounceGapMs ? before + 1 : 1
  const bounced = { ...follower, bounced: { days, at: now, status } }
  return mayReject && days >= maxBounceDays ? rejected(bounced, now) : bounced
}

/**
 * Returns the number of followers whose mail servers have refused emails for a day, or undefined if
 * there are only a few.
 */
export function manyRefused(followers: readonly Follower[], now: number): number | undefined {
  const byMail = followers.filter((each) => each.means === 'mail' && isFollowing(each))
  const refused = byMail.filter(
    ({ failures, bounced }) =>
      failures >= failuresInDay || (bounced && now < bounced.at + recentMs),
  )
  const aboutSender = refused.filter(
    ({ failures, bounced }) =>
      failures >= failuresInDay || !notAboutSender.test(bounced?.status ?? ''),
  )
  const isMany = (count: number, share: number) =>
    count >= Math.max(manyFollowers, byMail.length * share)
  return isMany(aboutSender.length, manyShare) || isMany(refused.length, mostShare)
    ? refused.length
    : undefined
}

/** Devices with the same push service, and how many of them it refuses. */
export type RefusedDevices = { readonly refused: number; readonly devices: number }

/** A single failure may have been a short outage. */
const fewFailures = 2

/** Fewer devices that never got a message may all be fake. */
const fewDevices = 2

/**
 * Returns the number of devices that a push service refuses, or undefined if it accepts at least
 * half of them. In that case, the devices are not at fault.
 */
export function mostRefused(devices: readonly Follower[]): RefusedDevices | undefined {
  const reached = devices.filter((device) => !isUnreached(device))
  const counted = reached.length > 0 ? reached : devices
  const refused = counted.filter(({ failures }) => failures >= fewFailures).length
  const isMost = 2 * refused > counted.length
  const isCertain = reached.length > 0 || refused >= fewDevices
  return isMost && isCertain ? { refused, devices: counted.length } : undefined
}
