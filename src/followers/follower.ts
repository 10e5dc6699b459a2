import { z } from 'zod'
import { dayMs } from '../clock.ts'

/** Ways to reach a follower: by email, or by a notification on a device. */
export const followMeans = ['mail', 'push'] as const

export type FollowMeans = (typeof followMeans)[number]

/** Kinds of messages, in the order in which lists show them. */
export const messageKinds = [
  'confirm',
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
  /** True to be told of changed entries and of news. */
  changes: z.boolean(),
  /** True to be told of the next day's entries the evening before. */
  tomorrow: z.boolean(),
  /** True to be told when an emergency text is shown on the boards. */
  emergency: z.boolean(),
})

/** What a follower wants to be told. */
export type FollowChoice = Readonly<z.infer<typeof followChoiceSchema>>

/** Wanted choice until it is confirmed. */
const request = z.object({
  choice: followChoiceSchema,
  language: z.string(),
  at: z.number(),
  /** When the first one of several requests was made, each before the one before it expired. */
  since: z.number().optional(),
})

/** A person who wants to be told, as stored. Times are in milliseconds since the epoch. */
export const storedFollowerSchema = z.object({
  means: z.enum(followMeans),
  /** Encrypted email address or push subscription. Undefined after it has been rejected. */
  address: z.string().optional(),
  choice: followChoiceSchema,
  language: z.string(),
  /** The follower's feed link. Undefined for followers of the public feeds. */
  linkId: z.string().optional(),
  createdAt: z.number(),
  /** Undefined until confirmed. Confirming again renews it. */
  confirmedAt: z.number().optional(),
  requested: request.optional(),
  /** When the address was rejected. */
  rejectedAt: z.number().optional(),
  /** What has been sent: the time for which each kind of message was due. */
  sent: z.partialRecord(z.enum(messageKinds), z.number()),
  /** When the latest message was sent. Decides who is next if there is a limit per day. */
  lastSentAt: z.number(),
  /** Consecutive failures. */
  failures: z.number(),
  /** Nothing is sent before this time. */
  nextAt: z.number(),
})

export type Follower = Readonly<z.infer<typeof storedFollowerSchema>> & { readonly id: string }

/** A new follower must confirm within this time. */
export const confirmWithinMs = 3 * dayMs

/** Followers who have not confirmed for this long are asked once whether they want to continue. */
export const renewAfterMs = 365 * dayMs

/** Followers who were asked and have not answered are deleted after this time. */
export const renewWithinMs = 30 * dayMs

/** Retention time for the mark that an address was rejected. */
export const rejectedKeptMs = 90 * dayMs

/** Returns the request that can be confirmed now. */
export function openRequest({ requested }: Follower, now: number) {
  return requested && now < requested.at + confirmWithinMs ? requested : undefined
}

/** Returns true if the follower is sent messages. */
export function isFollowing(follower: Follower): boolean {
  return follower.confirmedAt !== undefined && follower.rejectedAt === undefined
}

/** Returns the time at which a follower is deleted unless something changes, or undefined. */
export function deletedAt(follower: Follower): number | undefined {
  const { confirmedAt, requested, rejectedAt, createdAt, sent } = follower
  if (rejectedAt !== undefined) return rejectedAt + rejectedKeptMs
  if (confirmedAt === undefined) return (requested?.at ?? createdAt) + confirmWithinMs
  return sent.renewal === undefined ? undefined : sent.renewal + renewWithinMs
}
