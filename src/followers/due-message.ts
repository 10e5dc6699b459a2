import { LRUCache } from 'lru-cache'
import { dayMs } from '../clock.ts'
import { daysAfter, instantFromSiteTime, mondayOf, siteDateAt } from '../records/site-time.ts'
import {
  confirmWithinMs,
  isFollowing,
  isUnreached,
  renewAfterMs,
  renewForwardedAfterMs,
  welcomeWithinMs,
  type Follower,
  type MessageKind,
} from './follower.ts'

export type DueMessage = {
  readonly kind: MessageKind
  /** When the message is due. Identifies the message, together with its kind and the follower. */
  readonly at: number
}

/** Events that make messages due. Times are in milliseconds since the epoch. */
export type MessageTriggers = {
  readonly now: number
  readonly timeZone: string
  /** Returns when the first and the last change after `since` were found. */
  readonly changesAfter: (
    since: number,
    feedIds: readonly string[] | undefined,
  ) => { readonly first: number; readonly last: number } | undefined
  readonly emergencySince: number | undefined
}

/** Delay of a message about a change, so that several edits become one message. */
export const settleMs = 10 * 60_000

/** Minimum time between two messages about changes to a follower. */
export const changesGapMs = 60 * 60_000

/** Local time of the message about the next day's entries. */
const eveningTime = '18:00:00'

/** A weekly overview that is this late is skipped. */
export const weeklyLateMs = 5 * dayMs

/** Minimum time between two weekly overviews, even if the follower chooses another day. */
const weeklyGapMs = 4 * dayMs

/** Returns the most urgent message for a follower, or undefined if there is none now. */
export function dueMessage(follower: Follower, triggers: MessageTriggers): DueMessage | undefined {
  const { now } = triggers
  const { requested, rejectedAt, nextAt, invited } = follower
  if (rejectedAt !== undefined || now < nextAt) return undefined
  if (requested && now < requested.at + confirmWithinMs)
    return { kind: 'confirm', at: requested.at }
  if (invited?.key !== undefined) return { kind: 'invite', at: invited.at }
  if (!isFollowing(follower)) return undefined
  const kinds = [dueEmergency, dueWelcome, dueTomorrow, dueRenewal, dueChanges, dueWeekly]
  const found = kinds.map((due) => due(follower, triggers))
  return found.find((message) => message !== undefined)
}

type Due = (follower: Follower, triggers: MessageTriggers) => DueMessage | undefined

const dueEmergency: Due = ({ choice, sent, confirmedAt = 0 }, { emergencySince: at }) =>
  choice.emergency && at !== undefined && at > Math.max(confirmedAt, sent.emergency ?? 0)
    ? { kind: 'emergency', at }
    : undefined

/** Confirms that notifications work and that the device exists. */
const dueWelcome: Due = (follower, { now }) =>
  isUnreached(follower) && now < follower.createdAt + welcomeWithinMs
    ? { kind: 'welcome', at: follower.createdAt }
    : undefined

const dueTomorrow: Due = ({ choice, sent, confirmedAt = 0 }, { now, timeZone }) => {
  if (!choice.tomorrow) return undefined
  const at = shared(`evening ${now} ${timeZone}`, () =>
    instantFromSiteTime(`${siteDateAt(now, timeZone)}T${eveningTime}`, timeZone),
  )
  const isNew = at > Math.max(confirmedAt, sent.tomorrow ?? 0)
  return now >= at && isNew ? { kind: 'tomorrow', at } : undefined
}

const dueRenewal: Due = (follower, { now }) => {
  const { means, linkId, sent, confirmedAt = 0, forwardFailedAt = -Infinity } = follower
  const isForwardFailing = forwardFailedAt > confirmedAt
  const at = confirmedAt + (isForwardFailing ? renewForwardedAfterMs : renewAfterMs)
  // Push subscriptions and feed links expire without being asked about.
  const isAsked = means === 'mail' && linkId === undefined
  return isAsked && now >= at && sent.renewal === undefined ? { kind: 'renewal', at } : undefined
}

const dueChanges: Due = ({ choice, sent, confirmedAt = 0 }, { now, changesAfter }) => {
  if (!choice.changes) return undefined
  const lastAt = Math.max(confirmedAt, sent.changes ?? 0)
  const found = changesAfter(lastAt, choice.feedIds)
  const isDue = found && now >= found.first + settleMs && now >= lastAt + changesGapMs
  return isDue ? { kind: 'changes', at: found.last } : undefined
}

const dueWeekly: Due = ({ choice: { weekly }, sent, confirmedAt = 0 }, { now, timeZone }) => {
  if (!weekly) return undefined
  const at = shared(`${weekly.day} ${weekly.hour} ${now} ${timeZone}`, () =>
    latestWeekly(weekly, now, timeZone),
  )
  const isNew = at > confirmedAt && at >= (sent.weekly ?? -Infinity) + weeklyGapMs
  return isNew && now < at + weeklyLateMs ? { kind: 'weekly', at } : undefined
}

function latestWeekly(
  { day, hour }: NonNullable<Follower['choice']['weekly']>,
  now: number,
  timeZone: string,
): number {
  const monday = mondayOf(siteDateAt(now, timeZone))
  const time = `${String(hour).padStart(2, '0')}:00:00`
  const inWeek = (weeks: number) =>
    instantFromSiteTime(`${daysAfter(monday, weeks * 7 + day - 1)}T${time}`, timeZone)
  return inWeek(0) <= now ? inWeek(0) : inWeek(-1)
}

/** Times that thousands of followers share. Calculations in time zones are expensive. */
const sharedTimes = new LRUCache<string, number, () => number>({
  max: 500,
  memoMethod: (_key, _stale, { context: calculate }) => calculate(),
})

const shared = (key: string, calculate: () => number) =>
  sharedTimes.memo(key, { context: calculate })
