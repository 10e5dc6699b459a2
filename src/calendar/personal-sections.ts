import type { ChangeHistory } from '../records/recorded-change.ts'
import { namedMember, isSignUpOf } from '../records/member-name.ts'
import { oneLine } from '../records/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import { listInWords } from '../records/text.ts'
import { expiringCertifications } from '../records/training-record.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { calendarSection, type CalendarSection, type EntryLabel } from './calendar-section.ts'
import { labeled, lines, paragraphs, titleFrom, type EntryRecipe } from './entry-recipe.ts'
import { wholeDay } from './entry-time.ts'
import type { CalendarSource } from './shown-records.ts'
import { openOf, signUpRecipe } from './sign-up-recipe.ts'

type Sheet = RecordOf['signup']
type Certification = RecordOf['training']

const ownPrefix = 'You: '

/** The member whom a calendar is for, with the records that exist. */
export type PersonalSource = { readonly memberId: number } & {
  readonly [R in 'members' | 'signup' | 'training']: CalendarSource<R> | undefined
}

const label: EntryLabel = { category: 'Personal', prefix: undefined, color: undefined }

/**
 * Returns a member's own sign-ups and certification expiries as sections of a calendar, or no sections
 * if the member is not on the roster. Sign-ups are left out if two members share the name;
 * certifications are not, because they contain the member's id.
 */
export function personalSections(
  { memberId, members, signup, training }: PersonalSource,
  options: CalendarOptions,
): readonly CalendarSection[] {
  if (!members) return []
  const member = namedMember(members.records, memberId)
  if (!member.ok && member.reason === 'not listed') return []
  const sections: CalendarSection[] = []
  if (member.ok && signup) {
    const source = changedWith(signup, members.ledger.get(memberId))
    const recipe = ownSignUpRecipe(memberId, member.name)
    sections.push(calendarSection(recipe, source, { options, label }))
  }
  if (training) {
    const recipe = expiryRecipe(memberId, training.records)
    // An expiry takes no time.
    const free = { options: { ...options, busy: undefined }, label }
    sections.push(calendarSection(recipe, training, free))
  }
  return sections
}

/**
 * Returns sheets that count as changed whenever their member has changed, because after a new name other
 * positions on the same sheet are the member's.
 */
function changedWith(
  sheets: CalendarSource<'signup'>,
  member: ChangeHistory | undefined,
): CalendarSource<'signup'> {
  if (!member || member.revision === 0) return sheets
  const ledger = [...sheets.ledger].map(([id, entry]) => {
    const revision = entry.revision + member.revision
    const changedAt = Math.max(entry.changedAt, member.changedAt)
    return [id, { ...entry, revision, changedAt }] as const
  })
  return { ...sheets, ledger: new Map(ledger) }
}

/**
 * The sheets on which a person has signed up. An entry names the person's own positions and never
 * another person, whatever the profile: it has no notes, which people write freely, and no contact.
 */
function ownSignUpRecipe(memberId: number, name: string): EntryRecipe<'signup'> {
  return {
    ...signUpRecipe,
    uidPrefix: `member-${memberId}-signup`,
    variant: `${memberId} ${name}`,
    isShown: (sheet) => ownGroups(sheet, name).length > 0,
    textFor(sheet) {
      const slots = (sheet.groups ?? []).flatMap((group) => group.slots)
      const own = ownGroups(sheet, name)
      const positions = [...new Set(own.flatMap((group) => group.positions))]
      return {
        summary: `${ownPrefix}${listInWords(positions)}, ${titleFrom(sheet.title)}`,
        location: '',
        description: paragraphs(
          oneLine(sheet.eventDate),
          lines(...own.map((group) => labeled(group.name, listInWords(group.positions)))),
          openOf(slots),
        ),
        categories: [],
      }
    },
  }
}

/** Returns the groups in which a person has signed up, with the person's positions. */
function ownGroups({ groups = [] }: Sheet, person: string) {
  return groups.flatMap((group) => {
    const own = group.slots.filter(({ signedUp }) =>
      signedUp.some((signUp) => isSignUpOf(person, signUp)),
    )
    if (own.length === 0) return []
    const name = oneLine(group.name) || 'Group'
    const positions = own.map(({ position }) => oneLine(position) || name)
    return [{ name, positions: [...new Set(positions)] }]
  })
}

function expiryRecipe(
  memberId: number,
  certifications: readonly Certification[],
): EntryRecipe<'training'> {
  const approved = certifications.filter(
    (each) => each.memberId === memberId && each.state !== 'pending',
  )
  const shownIds = new Set(expiringCertifications(approved).map(({ id }) => id))
  return {
    resource: 'training',
    uidPrefix: `member-${memberId}-certification`,
    variant: String(memberId),
    isShown: ({ id }) => shownIds.has(id),
    timeOf: ({ expires = '' }) => ({ time: wholeDay(expires) }),
    blocksTime: 'never',
    // An expired or replaced certification is not canceled.
    isNeverCancelled: true,
    textFor: ({ certName }) => ({
      summary: `${ownPrefix}${oneLine(certName) || 'a certification'} expires`,
      location: '',
      description: '',
      categories: [],
    }),
  }
}
