import { createHash } from 'node:crypto'
import { DateTime } from 'luxon'
import { z } from 'zod'

/** Amount of detail that a feed link shows. */
export const linkProfiles = ['members', 'full'] as const

export type LinkProfile = (typeof linkProfiles)[number]

/** A named secret URL for private feeds, as stored. Times are in milliseconds since the epoch. */
export const storedLinkSchema = z.object({
  /** Hash of the key. The key itself is not stored. */
  keyHash: z.string(),
  /** The person or purpose that the link is for. */
  label: z.string(),
  /** Ids of the link's feeds. If undefined, the link has every feed that does not have to be named. */
  feedIds: z.array(z.string()).readonly().optional(),
  profile: z.enum(linkProfiles),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
  /** Id of the member whose own sign-ups and certifications the link also shows. */
  memberId: z.number().optional(),
  /** Start of the current pause. While a link is paused, its feeds show only a notice. */
  pausedAt: z.number().optional(),
  /** When the link was last edited, paused or resumed. Increases with every edit. */
  editedAt: z.number().optional(),
  /**
   * When an edit of the profile, or of the options of the combined calendar, last changed the text or
   * reminders of entries.
   */
  profileChangedAt: z.number().optional(),
  choiceChangedAt: z.number().optional(),
  /** Id of the link that has replaced this one, or undefined if it was not renewed. */
  replacedById: z.string().optional(),
  /**
   * Options of the link's combined feeds, as query strings, which are empty for the defaults.
   * Undefined until someone has saved them.
   */
  choice: z
    .object({ calendar: z.string(), news: z.string() })
    .readonly()
    .optional()
    .catch(undefined),
})

/** A link with its public id, which is for listing and revoking, and is not a secret. */
export type FeedLink = Readonly<z.infer<typeof storedLinkSchema>> & { readonly id: string }

/** Feeds by id. If undefined, every feed that does not have to be named. */
export type ChosenFeeds = { readonly feedIds?: readonly string[] | undefined }

/** Access granted by a link. */
export type LinkScope = ChosenFeeds & { readonly profile: LinkProfile }

/** The access that a link grants, and when it ends. */
export type LinkRules = LinkScope & { readonly expiresAt?: number | undefined }

export type LinkChoice = NonNullable<FeedLink['choice']>

export const maxLabelLength = 100

/** Duration of the notice in the feeds of an ended link, and in feeds made private. */
export const noticeMs = 14 * 24 * 60 * 60 * 1000

/** Retention time for ended links and for uses. */
export const endedKeptMs = 400 * 24 * 60 * 60 * 1000

/** Returns the time at which the link ended or will end, or Infinity if it never ends. */
export function endOf({ expiresAt = Infinity, revokedAt = Infinity }: FeedLink): number {
  return Math.min(expiresAt, revokedAt)
}

/**
 * Returns the time at which a link stops serving feeds, or Infinity if it does not expire. Returns
 * -Infinity for a revoked or paused link, so that a slow clock cannot keep it open.
 */
export function servesUntil({ expiresAt = Infinity, revokedAt, pausedAt }: FeedLink): number {
  return revokedAt === undefined && pausedAt === undefined ? expiresAt : -Infinity
}

export function isOpen(link: FeedLink, now: number): boolean {
  return now < servesUntil(link)
}

/** Returns true if a link was revoked or has expired. A paused link has not ended. */
export function hasEnded(link: FeedLink, now: number): boolean {
  return link.revokedAt !== undefined || now >= endOf(link)
}

export type LinkState = 'open' | 'paused' | 'ended' | 'gone'

/** Paused links show a notice instead of entries. Ended links do so for two weeks. */
export function stateOf(link: FeedLink, now: number): LinkState {
  if (isOpen(link, now)) return 'open'
  if (!hasEnded(link, now)) return 'paused'
  return now < goneAt(link) ? 'ended' : 'gone'
}

/** Returns when the link's feeds stop showing the notice. */
export function goneAt(link: FeedLink): number {
  return endOf(link) + noticeMs
}

/** Reads a member's id, which is a positive whole number. Returns undefined for any other text. */
export function readMemberId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
}

/** Normalizes a label to a single line. Returns undefined if it is empty or too long. */
export function readLabel(text: string): string | undefined {
  const label = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  return label !== '' && label.length <= maxLabelLength ? label : undefined
}

/** Returns the end of a day in the site's time zone, or undefined if it is invalid or past. */
export function readExpiry(
  day: string,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const end = DateTime.fromISO(day, { zone: timeZone }).endOf('day')
  return end.isValid && end.toMillis() > now ? end.toMillis() : undefined
}

/** Size of a key, which is the secret part of a feed link's URL. A key has 160 random bits. */
export const keyBytes = 20

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const bitsPerLetter = 5

/** Encodes as lowercase base32 (RFC 4648 6), which people can type from paper and read aloud. */
export function base32From(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{${bitsPerLetter}}`, 'g')) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group, 2)]).join('')
}

/** Returns the stored form of a key. A fast unsalted hash is enough for 160 random bits. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
