import { dayMs, minuteMs, retryDelayMs } from '../../clock.ts'
import type { DueMessage } from '../../followers/due-message.ts'
import { isUnreached, type Follower } from '../../followers/follower.ts'
import { rejected } from '../../followers/refusal.ts'
import type { Sent } from './messages.ts'

const addressRetries = { initialMs: 5 * minuteMs, maxMs: dayMs / 2 }

/**
 * Number of failures in about a week. After that, an email address is rejected, and a device is
 * deleted, because its endpoint may never have existed.
 */
const maxFailures = 20

/** Number of failures in about a day. After that, a device that never got a message is deleted. */
const maxFirstFailures = 8

/** Marks a message as sent, including one that would have been empty. */
export function afterMessage(follower: Follower, { kind, at }: DueMessage, now: number): Follower {
  // That a device got its first message shows in `lastSentAt`.
  if (kind === 'welcome') return follower
  // The time to answer starts when the question is sent, not when it is due.
  const sentAt = kind === 'renewal' ? now : at
  return { ...follower, sent: { ...follower.sent, [kind]: sentAt } }
}

/** Returns the follower after an attempt to send a message, or undefined to delete the follower. */
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
    const isKept = follower.means === 'mail' && follower.confirmedAt !== undefined
    return isKept ? rejected(follower, now) : undefined
  }
  const failures = follower.failures + 1
  const max = isUnreached(follower) ? maxFirstFailures : maxFailures
  if (failures >= max && follower.means === 'push') return undefined
  if (failures >= max && mayReject) return rejected(follower, now)
  const waitMs = Math.max(retryDelayMs(addressRetries, failures), sent.retryAfterMs ?? 0)
  return { ...follower, failures, nextAt: now + waitMs }
}
