import type { LinkScope } from '../../links/feed-link.ts'
import { textIn } from '../messages.ts'

/**
 * The contact data of the members. It is not a feed like the others, because no combined feed,
 * list, screen or exported file may contain it. Only links that list it include it, with the
 * profile `full`.
 */
export const members = {
  id: 'members',
  textIn: textIn('members'),
  resource: 'members/contacts',
  isNamedOnly: true,
} as const

export function includesMembers({ feedIds, profile }: LinkScope): boolean {
  return profile === 'full' && feedIds?.includes(members.id) === true
}

export const membersTexts = {
  fault:
    'Members are only available with the profile full. Choose that profile, or leave out the members.',
  warning:
    'This link contains the phone numbers, email addresses and postal addresses of all members. Anyone who has its address can read them, so share it only with people who may have this data.',
}

/** Explains why a link cannot list the members. Returns undefined if it can, or if it does not. */
export function membersFault(
  { feedIds, profile }: LinkScope,
  texts = membersTexts,
): string | undefined {
  const isUnusable = feedIds?.includes(members.id) === true && profile !== 'full'
  return isUnusable ? texts.fault : undefined
}

/**
 * Returns a warning for the person who creates or edits a link that lists the members, or undefined
 * for other links.
 */
export function membersWarning(link: LinkScope, texts = membersTexts): string | undefined {
  return membersFault(link, texts) ?? (includesMembers(link) ? texts.warning : undefined)
}
