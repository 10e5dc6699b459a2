import { dayMs, hourMs, minuteMs, retryDelayMs } from '../../clock.ts'
import type { DueMessage } from '../../followers/due-message.ts'
import { isUnreached, type Follower } from '../../followers/follower.ts'
import { rejected } from '../../followers/refusal.ts'
import type { Sent } from './messages.ts'

const retries = { initialMs: 5 * minuteMs, maxMs: dayMs / 2 }

/**
 * Number of failures after which an email address is rejected, and a device is deleted: in about a
 * week, or in a day before the first message, because its endpoint may never have existed.
 */
const maxFailures = { first: 8, later: 20 }

/**
 * The same for a device while its push service refuses most devices, which are then retried hourly:
 * about a week before the first message, and a month after it.
 */
const refusedRetries = { initialMs: 5 * minuteMs, maxMs: hourMs }
const maxRefusals = { first: 7 * 24, later: 30 * 24 }

/** Marks a message as sent, including one that would have been empty. */
export function afterMessage(follower: Follower, { kind, at }: DueMessage, now: number): Follower {
  if (kind === 'invite') return { ...follower, invited: { at, sentAt: now } }
  // `lastSentAt` shows that a device got its first message.
  if (kind === 'welcome') return follower
  // The time to answer starts when the question is sent, not when it is due.
  const sentAt = kind === 'renewal' ? now : at
  return { ...follower, sent: { ...follower.sent, [kind]: sentAt } }
}

/**
 * Returns the follower after an attempt to send a message, or undefined to delete the follower. With
 * `mayReject: false`, a refusal is probably not the follower's fault.
 */
export function afterSending(
  follower: Follower,
  due: DueMessage,
  sent: Sent,
  { now, mayReject }: { readonly now: number; readonly mayReject: boolean },
): Follower | undefined {
  if (sent.ok) {
    if (due.kind === 'confirm') {
      const { requested: _, ...rest } = follower
      // The link in the email contains the request, so nothing has to be stored.
      return follower.confirmedAt === undefined ? undefined : { ...rest, lastSentAt: now }
    }
    // Slow devices come last the next time.
    const failures = sent.isSlow === true ? follower.failures + 1 : 0
    return { ...afterMessage(follower, due, now), lastSentAt: now, failures, nextAt: 0 }
  }
  if (sent.failed === 'address') {
    // An expired subscription never works again. The browser creates a new one. Requests would fill
    // the store, because anyone can make them.
    const isWanted = follower.confirmedAt !== undefined || follower.invited !== undefined
    const isKept = follower.means === 'mail' && isWanted
    return isKept ? rejected(follower, now) : undefined
  }
  const failures = follower.failures + 1
  const isDevice = follower.means === 'push'
  const isRefused = isDevice && !mayReject
  const max = (isRefused ? maxRefusals : maxFailures)[isUnreached(follower) ? 'first' : 'later']
  if (failures >= max && isDevice) return undefined
  if (failures >= max && mayReject) return rejected(follower, now)
  const delayMs = retryDelayMs(isRefused ? refusedRetries : retries, failures)
  const waitMs = Math.max(delayMs, sent.retryAfterMs ?? 0)
  return { ...follower, failures, nextAt: now + waitMs }
}
