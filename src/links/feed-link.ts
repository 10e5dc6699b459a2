/** How much the readers of a feed link may see. */
export const linkProfiles = ['members', 'full'] as const

export type LinkProfile = (typeof linkProfiles)[number]

/** A named secret address of private feeds. Milliseconds since the epoch. */
export type FeedLink = {
  /** Names it where it is listed and revoked; no secret. */
  readonly id: string
  /** Of its key, which nobody keeps but those it was given to. */
  readonly keyHash: string
  /** Whom or what it is for. */
  readonly label: string
  /** Ids of its feeds; undefined for all there are. */
  readonly feedIds: readonly string[] | undefined
  readonly profile: LinkProfile
  readonly createdAt: number
  readonly expiresAt: number | undefined
  readonly revokedAt: number | undefined
}

export const maxLabelLength = 100

const noticeMs = 14 * 24 * 60 * 60 * 1000

/** When it ended or will; infinite for never. */
export function endOf({ expiresAt = Infinity, revokedAt = Infinity }: FeedLink): number {
  return Math.min(expiresAt, revokedAt)
}

/** A revoked link gives nothing, also where the clock is behind that of whoever has revoked it. */
export function isOpen({ expiresAt = Infinity, revokedAt }: FeedLink, now: number): boolean {
  return revokedAt === undefined && now < expiresAt
}

/** An ended link says so for two weeks, where people look for their entries; then it is gone. */
export function stateOf(link: FeedLink, now: number): 'open' | 'withdrawn' | 'gone' {
  if (isOpen(link, now)) return 'open'
  return now < goneAt(link) ? 'withdrawn' : 'gone'
}

/** When it is gone. */
export function goneAt(link: FeedLink): number {
  return endOf(link) + noticeMs
}

/** One line that is not empty; undefined for what cannot be one. */
export function readLabel(text: string): string | undefined {
  const label = text.replace(/[\p{C}\p{Z}\s]+/gu, ' ').trim()
  return label !== '' && label.length <= maxLabelLength ? label : undefined
}
