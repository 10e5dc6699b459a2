import { z } from 'zod'
import { dayMs } from '../clock.ts'

/** Ways to reach a follower: by email, or by a notification on a device. */
export const followMeans = ['mail', 'push'] as const

export type FollowMeans = (typeof followMeans)[number]

/** Kinds of messages, in the order in which lists show them. Only devices get a welcome. */
export const messageKinds = [
  'confirm',
  'invite',
  'welcome',
  'weekly',
  'changes',
  'tomorrow',
  'emergency',
  'renewal',
] as const

export type MessageKind = (typeof messageKinds)[number]

export const followChoiceSchema = z.object({
  /** Feeds to follow. If undefined, all public feeds, or all feeds of the follower's link. */
  feedIds: z.array(z.string()).readonly().optional(),
  /** Day (1 for Monday to 7 for Sunday) and hour of the weekly overview, in the site's time zone. */
  weekly: z.object({ day: z.int().min(1).max(7), hour: z.int().min(0).max(23) }).optional(),
  /** True for messages about changed entries and news. */
  changes: z.boolean(),
  /** True for a message in the evening about the next day's entries. */
  tomorrow: z.boolean(),
  /** True for a message when the boards show an emergency text. */
  emergency: z.boolean(),
})

/** Which messages a follower wants, and about which feeds. */
export type FollowChoice = Readonly<z.infer<typeof followChoiceSchema>>

/** Requested choice, until the email that asks to confirm it has been sent. */
const request = z.object({ choice: followChoiceSchema, language: z.string(), at: z.number() })

/** A follower, as stored. Times are in milliseconds since the epoch. */
export const storedFollowerSchema = z.object({
  means: z.enum(followMeans),
  /** Encrypted email address or push subscription. Undefined after it has been rejected. */
  address: z.string().optional(),
  choice: followChoiceSchema,
  language: z.string(),
  /** The follower's feed link. Undefined for followers of the public feeds. */
  linkId: z.string().optional(),
  createdAt: z.number(),
  /** Time of the latest confirmation. Undefined for a new follower's request. */
  confirmedAt: z.number().optional(),
  requested: request.optional(),
  rejectedAt: z.number().optional(),
  /** Invitation to the page of the link. The encrypted key is stored until the email has been sent. */
  invited: z
    .object({ at: z.number(), key: z.string().optional(), sentAt: z.number().optional() })
    .optional(),
  /** When the last message of each kind was due. */
  sent: z.partialRecord(z.enum(messageKinds), z.number()),
  /** When the last message was sent, or 0. Decides who is next when the daily limit is reached. */
  lastSentAt: z.number(),
  /**
   * Number of days with bounces that do not prove an unknown address, and time and status code
   * (RFC 3463) of the latest one.
   */
  bounced: z.object({ days: z.number(), at: z.number(), status: z.string() }).optional(),
  /** Latest bounce about somebody to whom the follower's emails are forwarded. */
  forwardFailedAt: z.number().optional(),
  /** Consecutive failures. */
  failures: z.number(),
  nextAt: z.number(),
})

export type Follower = Readonly<z.infer<typeof storedFollowerSchema>> & { readonly id: string }

export const confirmWithinMs = 3 * dayMs

/** A new device gets its first message within this time, or none. */
export const welcomeWithinMs = dayMs

/** Followers who have not confirmed for this long are asked once whether they want to continue. */
export const renewAfterMs = 365 * dayMs

/** The same if emails bounce after being forwarded, because perhaps they no longer reach anybody. */
export const renewForwardedAfterMs = 90 * dayMs

/** Followers who were asked and have not answered are deleted after this time. */
export const renewWithinMs = 30 * dayMs

/** Retention time for the mark that an address was rejected. */
export const rejectedKeptMs = 90 * dayMs

/** Retention time for invitations, so that bounces can be matched to them. */
export const invitedKeptMs = 30 * dayMs

/** Returns true if the follower gets messages. */
export function isFollowing(follower: Follower): boolean {
  return follower.confirmedAt !== undefined && follower.rejectedAt === undefined
}

/** Returns true for a device that has not received a message yet, so its endpoint may be fake. */
export function isUnreached({ means, lastSentAt }: Follower): boolean {
  return means === 'push' && lastSentAt === 0
}

/** Returns the time at which a follower is deleted unless something changes, or undefined. */
export function deletedAt(follower: Follower): number | undefined {
  const { confirmedAt, requested, rejectedAt, createdAt, sent, invited } = follower
  if (rejectedAt !== undefined) return rejectedAt + rejectedKeptMs
  if (confirmedAt === undefined && invited) return invited.at + invitedKeptMs
  if (confirmedAt === undefined) return (requested?.at ?? createdAt) + confirmWithinMs
  return sent.renewal === undefined ? undefined : sent.renewal + renewWithinMs
}
