import type { Config } from '../config/config.ts'
import { createCatalog } from '../feeds/catalog.ts'
import { membersFault } from '../feeds/catalog/members.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  readMemberId,
  type LinkProfile,
} from '../links/feed-link.ts'
import type { LinkEdit } from '../links/link-edits.ts'
import type { NewLink } from '../links/stored-links.ts'
import { UsageError } from './user-errors.ts'

const text = { type: 'string' } as const

/** Options of `link add` and `link set` that describe a link. */
export const linkOptions = {
  label: text,
  feeds: text,
  profile: text,
  expires: text,
  member: text,
} as const

const flag = { type: 'boolean' } as const

/** Options of `link set`. */
export const pauseOptions = { pause: flag, resume: flag } as const

type LinkOptions = { readonly [Name in keyof typeof linkOptions]?: string | undefined }

/** Reads the given options, except `--expires`. Throws a `UsageError` for an invalid value. */
export function readLinkOptions(
  { label, feeds, profile, member }: LinkOptions,
  { site }: Pick<Config, 'site'>,
): LinkEdit {
  const feedIds = createCatalog(site?.databases).linkFeeds.map(({ id }) => id)
  return {
    ...(label === undefined ? {} : { label: readLabelOption(label) }),
    ...(feeds === undefined ? {} : { feedIds: readFeeds(feeds, feedIds) }),
    ...(profile === undefined ? {} : { profile: readProfile(profile) }),
    ...(member === undefined ? {} : { memberId: readMember(member) }),
  }
}

/**
 * Returns a new link with these properties, and defaults for the others. Throws a `UsageError` if its
 * profile does not have its feeds.
 */
export function newLinkFrom(given: LinkEdit & Pick<NewLink, 'label'>): NewLink {
  const link = { feedIds: undefined, profile: 'members', expiresAt: undefined, ...given } as const
  const fault = membersFault(link)
  if (fault !== undefined) throw new UsageError(fault)
  return link
}

/** Reads `--expires`, if it is given. Throws a `UsageError` if it is invalid. */
export function readExpiryOption(
  { expires }: LinkOptions,
  site: { readonly timeZone: string; readonly now: number },
): LinkEdit {
  if (expires === undefined) return {}
  if (expires === 'never') return { expiresAt: undefined }
  const expiresAt = readExpiry(expires, site)
  if (expiresAt !== undefined) return { expiresAt }
  throw new UsageError('--expires must be today or a later date, like 2027-06-30; or never.')
}

/** Reads `--pause` or `--resume`, if one is given. Throws a `UsageError` if both are given. */
export function readPauseOption(values: {
  readonly pause?: boolean | undefined
  readonly resume?: boolean | undefined
}): LinkEdit {
  if (values.pause && values.resume) throw new UsageError('Use either --pause or --resume.')
  if (values.pause) return { isPaused: true }
  return values.resume ? { isPaused: false } : {}
}

/** Reads the label. Throws a `UsageError` if it is missing, empty or too long. */
export function readLabelOption(value: string | undefined): string {
  const label = readLabel(value ?? '')
  if (label !== undefined) return label
  throw new UsageError(
    `--label is required: who or what the link is for, in at most ${maxLabelLength} characters.`,
  )
}

function readProfile(value: string): LinkProfile {
  const profile = linkProfiles.find((known) => known === value)
  if (profile) return profile
  throw new UsageError(`--profile must be ${linkProfiles.join(' or ')}.`)
}

function readFeeds(list: string, feedIds: readonly string[]): readonly string[] | undefined {
  if (list === 'all') return undefined
  const ids = [...new Set(list.split(',').map((id) => id.trim()))]
  if (ids.every((id) => feedIds.includes(id))) return ids
  throw new UsageError(`--feeds must be a comma-separated list of: ${feedIds.join(', ')}; or all.`)
}

function readMember(value: string): number | undefined {
  if (value === 'none') return undefined
  const memberId = readMemberId(value)
  if (memberId !== undefined) return memberId
  throw new UsageError('--member must be the ID of a member on the website, like 12; or none.')
}
