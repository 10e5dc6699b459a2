import type { FeedLink } from '../links/feed-link.ts'
import { namedMember, type NamedMember } from '../records/member-name.ts'
import { personalResources, type FeedResource } from '../records/resources.ts'
import type { RecordOf } from '../records/read-records.ts'

/** Maximum number of links that a status sentence lists. */
const maxListed = 10

type Fault = Extract<NamedMember, { ok: false }>['reason']

type Members = readonly RecordOf['members'][]

const effects: Readonly<Record<Fault, string>> = {
  'not listed':
    'the member is not on the website’s roster, so my.ics has no personal entries. Everything else is unchanged. If the person has left, revoke the link. Otherwise, choose another member.',
  'incomplete name':
    'the member has no first name or no last name on the website, so my.ics cannot show the member’s own sign-ups; certifications are not affected. Complete the name on the website.',
  'shared name':
    'another member has the same first and last name, and sign-up sheets have no member IDs, so my.ics shows no sign-ups; certifications are not affected. Make the names on the website different, such as by adding a middle name to the first name.',
}

/** Why a link does not show its member's own sign-ups. */
export const memberFaults: Readonly<Record<Fault | 'not read' | 'not allowed', string>> = {
  'not read':
    'The members have not been read from the website yet, so my.ics has no personal entries.',
  'not allowed':
    'The API Project is not allowed to read the members, so my.ics has no personal entries. Everything else is unchanged. Ask a website manager to allow the endpoint members in the website’s Members Area under Manage > API.',
  'not listed': capitalized(effects['not listed']),
  'incomplete name': capitalized(effects['incomplete name']),
  'shared name': capitalized(effects['shared name']),
}

/** Returns the resources that links need only for their members' own entries. */
export function personalResourcesOf(links: readonly FeedLink[]): readonly FeedResource[] {
  return links.some(({ memberId }) => memberId !== undefined) ? personalResources : []
}

/**
 * Explains why a link does not show its member's own sign-ups, or undefined if it does. `isAllowed`
 * is false if the API Project may not read the members.
 */
export function memberFault(
  { memberId }: FeedLink,
  members: Members | undefined,
  isAllowed: boolean,
  texts = memberFaults,
): string | undefined {
  if (memberId === undefined) return undefined
  if (!members) return texts[isAllowed ? 'not read' : 'not allowed']
  const member = namedMember(members, memberId)
  return member.ok ? undefined : texts[member.reason]
}

/** Returns sentences about the links whose members cannot be shown. They contain no names. */
export function memberSentences(
  links: readonly FeedLink[],
  members: Members | undefined,
): readonly string[] {
  if (!members) return []
  const faults = links.flatMap(({ id, memberId }) => {
    const member = memberId === undefined ? undefined : namedMember(members, memberId)
    return !member || member.ok ? [] : [{ reason: member.reason, text: `${id} (${memberId})` }]
  })
  return [...Map.groupBy(faults, ({ reason }) => reason)].map(([reason, all]) => {
    const listed = all.slice(0, maxListed).map(({ text }) => text)
    const omitted = all.length - listed.length
    const more = omitted === 0 ? [] : [`${omitted} more`]
    const which = all.length === 1 ? 'Feed link and member ID' : 'Feed links and member IDs'
    return `${which} ${[...listed, ...more].join(', ')}: ${effects[reason]}`
  })
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
