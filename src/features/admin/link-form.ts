import { DateTime } from 'luxon'
import { membersFault } from '../../feeds/catalog/members.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  readMemberId,
  type FeedLink,
} from '../../links/feed-link.ts'
import type { LinkRules } from '../../links/feed-link.ts'
import { isLinkId, type NewLink } from '../../links/stored-links.ts'
import type { RecordOf } from '../../records/read-records.ts'
import { fieldsFrom, type FormReading } from '../../web/forms.ts'
import type { LinkMessages } from './messages/links/en.ts'

const textFields = [
  /** Key of the new link, so that submitting the form twice creates only one link. */
  'id',
  'label',
  'profile',
  /** `all` or `some`. */
  'feeds',
  'expires',
  'member',
  'revision',
  /** Names of several new links. */
  'list',
] as const

export type LinkForm = Readonly<Record<(typeof textFields)[number], string>> & {
  readonly feedIds: readonly string[]
}

export function emptyLinkForm(id: string): LinkForm {
  return linkFormFrom(new URLSearchParams({ id, profile: 'members', feeds: 'all' }))
}

export function linkFormFrom(sent: URLSearchParams): LinkForm {
  const feedIds: readonly string[] = [...new Set(sent.getAll('feed'))]
  return { ...fieldsFrom(sent, ...textFields), feedIds }
}

export function formFromLink(link: FeedLink, revision: number, timeZone: string): LinkForm {
  return {
    ...emptyLinkForm(link.id),
    label: link.label,
    profile: link.profile,
    feeds: link.feedIds ? 'some' : 'all',
    feedIds: link.feedIds ?? [],
    expires: dayOf(link.expiresAt, timeZone),
    member: String(link.memberId ?? ''),
    revision: String(revision),
  }
}

/** Values needed to read the form of a link. */
export type KnownToForms = {
  readonly texts: LinkMessages
  readonly feedIds: readonly string[]
  readonly timeZone: string
  readonly now: number
}

type Known = KnownToForms & {
  /** Expiration time of the link being edited, which may remain in the past. */
  readonly expiresAt?: number | undefined
}

export function readLinkForm(
  form: LinkForm,
  known: Known,
): FormReading<{ readonly wish: NewLink & { readonly id: string } }> {
  const { id } = form
  const { faults: texts } = known.texts
  const label = readLabel(form.label)
  const member = form.member.trim()
  const memberId = readMemberId(member)
  const rules = readLinkRules(form, known)
  const faults = [
    label === undefined && texts.label(maxLabelLength),
    ...(rules.ok ? [] : rules.faults),
    member !== '' && memberId === undefined && texts.member,
    !isLinkId(id) && texts.id,
  ].filter((fault) => typeof fault === 'string')
  if (label === undefined || !rules.ok || faults.length > 0) return { ok: false, faults }
  return { ok: true, wish: { id, label, ...rules.rules, memberId } }
}

/** Reads the fields that determine a link's feeds, profile and end. */
export function readLinkRules(
  form: LinkForm,
  known: Known,
): FormReading<{ readonly rules: LinkRules }> {
  const { faults: texts } = known.texts
  const profile = linkProfiles.find((name) => name === form.profile)
  const expires = form.expires.trim()
  const isUnchanged = expires === dayOf(known.expiresAt, known.timeZone)
  const expiresAt = isUnchanged ? known.expiresAt : readExpiry(expires, known)
  const feedIds = form.feeds === 'all' ? undefined : form.feedIds
  const faults = [
    !profile && texts.profile,
    profile && membersFault({ feedIds, profile }, known.texts.membersTexts),
    !isChoice(form, known.feedIds) && texts.feeds,
    expires !== '' && expiresAt === undefined && texts.expires,
  ].filter((fault) => typeof fault === 'string')
  if (!profile || faults.length > 0) return { ok: false, faults }
  return { ok: true, rules: { profile, feedIds, expiresAt } }
}

function isChoice({ feeds, feedIds }: LinkForm, known: readonly string[]): boolean {
  // Selecting both "all" and individual feeds is ambiguous.
  if (feeds === 'all') return feedIds.length === 0
  return feeds === 'some' && feedIds.length > 0 && feedIds.every((id) => known.includes(id))
}

function dayOf(instant: number | undefined, zone: string): string {
  if (instant === undefined) return ''
  return DateTime.fromMillis(instant, { zone }).toISODate() ?? ''
}

/** Choices for how many days the old address keeps working after a link is renewed. */
export const overlapDays = [1, 7, 14, 30, 90] as const

const defaultOverlap = '14'

export type RenewalForm = { readonly overlap: string; readonly lastDay: string }

type RenewalTime = { readonly timeZone: string; readonly now: number }

/** A link that expires with the overlap would be pointless, so then the last day is empty. */
export function renewalFormFrom({ expiresAt }: FeedLink, known: RenewalTime): RenewalForm {
  const isLater = expiresAt !== undefined && expiresAt > endOfOverlap(defaultOverlap, known)
  return { overlap: defaultOverlap, lastDay: isLater ? dayOf(expiresAt, known.timeZone) : '' }
}

/** Returns the end of the last day on which the old address works. */
export function endOfOverlap(days: string, { timeZone, now }: RenewalTime): number {
  const end = DateTime.fromMillis(now, { zone: timeZone }).plus({ days: Number(days) })
  return end.endOf('day').toMillis()
}

export type MemberChoice = {
  readonly id: number
  readonly label: string
  readonly names: readonly string[]
}

const collator = new Intl.Collator('en')

/** Returns members by name. The labels have names and ranks, for a list sorted by last name. */
export function memberChoicesFrom(
  members: readonly RecordOf['members'][],
): readonly MemberChoice[] {
  return members
    .map(({ id, firstName, middleInitial, lastName, rank }) => {
      const given = [firstName, middleInitial].filter(Boolean).join(' ')
      const listed = [lastName, given].filter(Boolean).join(', ')
      const label = `${[listed, rank].filter(Boolean).join(', ')} (${id})`
      const names = [
        `${firstName} ${lastName}`,
        `${given} ${lastName}`,
        `${lastName}, ${firstName}`,
        listed,
      ]
      return { id, label, names }
    })
    .toSorted((a, b) => collator.compare(a.label, b.label) || a.id - b.id)
}
