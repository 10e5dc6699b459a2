import type { ChangeHistory } from '../records/recorded-change.ts'
import { namedMember, isSignUpOf } from '../records/member-name.ts'
import { oneLine } from '../text/plain-text.ts'
import type { RecordOf } from '../records/read-records.ts'
import type { SignUpSlot } from '../records/sign-up-sheet.ts'
import { expiringCertifications } from '../records/training-record.ts'
import type { CalendarOptions } from './calendar-options.ts'
import { calendarSection, type CalendarSection, type EntryLabel } from './calendar-section.ts'
import { labeledIn, lines, paragraphs, titleFrom, type EntryRecipe } from './entry-recipe.ts'
import { wholeDay } from './calendar-entry.ts'
import { calendarMessages } from './messages.ts'
import { shownRecords, type CalendarSource } from './shown-records.ts'
import { expiryDays } from '../records/expiry-days.ts'
import { openOf, sheetTable, signUpRecipe } from './sign-up-recipe.ts'

type Sheet = RecordOf['signup']
type Certification = RecordOf['training']

/** The member whom a calendar is for, with the records that exist. */
export type PersonalSource = { readonly memberId: number } & {
  readonly [R in 'members' | 'signup' | 'training']: CalendarSource<R> | undefined
}

/**
 * Returns a member's own sign-ups and certification expiries as sections of a calendar, or no
 * sections if the member is not on the roster. Omits sign-ups if two members share the name, but
 * not certifications, because they contain the member's id.
 */
export function personalSections(
  source: PersonalSource,
  options: CalendarOptions,
  language: string,
): readonly CalendarSection[] {
  const { category } = calendarMessages(language).own
  const label: EntryLabel = { category, prefix: undefined, color: undefined }
  const { signUps, expiries } = recipesFor(source)
  const sections: CalendarSection[] = []
  if (signUps) {
    const member = source.members?.ledger.get(source.memberId)
    const sheets = changedWith(signUps.source, member)
    sections.push(calendarSection(signUps.recipe, sheets, { options, label }))
  }
  if (expiries) {
    // An expiry takes no time.
    const alarmMinutes =
      options.alarmMinutes.length > 0
        ? options.alarmMinutes
        : expiryDays.map((days) => days * 24 * 60)
    const free = { options: { ...options, busy: undefined, alarmMinutes }, label }
    sections.push(calendarSection(expiries.recipe, expiries.source, free))
  }
  return sections
}

/**
 * Returns a member's own entries on all days, for pages that also show other entries. An entry's
 * kind is both its source and the id of the feed that it belongs to.
 */
export function ownEntries(source: PersonalSource, language: string) {
  const { list } = calendarMessages(language)
  const { signUps, expiries } = recipesFor(source)
  const sheets = signUps ? shownRecords(signUps.recipe, signUps.source, 'members') : []
  const certifications = expiries ? shownRecords(expiries.recipe, expiries.source, 'members') : []
  return [
    ...sheets.map(({ record, time }) => ({
      kind: 'signup' as const,
      recordId: record.id,
      title: titleFrom(record.title, language),
      /** The member's positions on a sign-up sheet. */
      role: list(positionsIn(record, signUps?.name ?? '', language)),
      time,
    })),
    ...certifications.map(({ record, time }) => ({
      kind: 'training' as const,
      recordId: record.id,
      title: expiryTitle(record, language),
      role: undefined,
      time,
    })),
  ]
}

/** Returns `You: Driver, Standby crew`, or `You: CPR expires` without a role. */
export function ownTitle(
  { role, title }: { readonly role: string | undefined; readonly title: string },
  language: string,
): string {
  const { own } = calendarMessages(language)
  return role === undefined ? own.entry(title) : own.role(role, title)
}

/** Returns the recipes for a member's own entries, with the records that they are for. */
function recipesFor({ memberId, members, signup, training }: PersonalSource) {
  const member = members && namedMember(members.records, memberId)
  if (!member || (!member.ok && member.reason === 'not listed')) return {}
  return {
    signUps:
      member.ok && signup
        ? { recipe: ownSignUpRecipe(memberId, member.name), source: signup, name: member.name }
        : undefined,
    expiries: training && { recipe: expiryRecipe(memberId, training.records), source: training },
  }
}

/**
 * Returns sheets that count as changed whenever the member has changed, because with a new name,
 * other positions on the same sheet may be the member's.
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
 * The sheets on which a person has signed up. Regardless of the profile, entries show only the
 * person's own positions and never another person. They have no contact and no notes, which are
 * free text.
 */
function ownSignUpRecipe(memberId: number, name: string): EntryRecipe<'signup'> {
  return {
    ...signUpRecipe,
    uidPrefix: `member-${memberId}-signup`,
    variant: `${memberId} ${name}`,
    isShown: ({ groups = [] }) =>
      groups.some(({ slots }) => slots.some((slot) => isOwnSlot(slot, name))),
    textFor(sheet, { language }) {
      const { list } = calendarMessages(language)
      const own = ownGroups(sheet, name, language)
      const role = list(positionsIn(sheet, name, language))
      return {
        summary: ownTitle({ role, title: titleFrom(sheet.title, language) }, language),
        location: '',
        description: paragraphs(
          sheetTable(sheet, { profile: 'members', language }).when,
          lines(...own.map((group) => labeledIn(language)(group.name, list(group.positions)))),
          openOf(sheet, language),
        ),
        categories: [],
      }
    },
  }
}

/** Returns a person's positions, with the group if another group of the sheet has the same one. */
function positionsIn(sheet: Sheet, person: string, language: string): readonly string[] {
  const { groups = [] } = sheet
  const isShared = (position: string) =>
    groups.filter(({ slots }) => slots.some((slot) => oneLine(slot.position) === position)).length >
    1
  const own = ownGroups(sheet, person, language).flatMap(({ name, positions }) =>
    positions.map((position) => (isShared(position) ? `${position} (${name})` : position)),
  )
  return [...new Set(own)]
}

function isOwnSlot({ signedUp }: SignUpSlot, person: string): boolean {
  return signedUp.some((signUp) => isSignUpOf(person, signUp))
}

function ownGroups({ groups = [] }: Sheet, person: string, language: string) {
  return groups.flatMap((group) => {
    const own = group.slots.filter((slot) => isOwnSlot(slot, person))
    if (own.length === 0) return []
    const name = oneLine(group.name) || calendarMessages(language).signUp.group
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
    isNeverCanceled: true,
    textFor: (certification, { language }) => ({
      summary: ownTitle({ role: undefined, title: expiryTitle(certification, language) }, language),
      location: '',
      description: '',
      categories: [],
    }),
  }
}

function expiryTitle({ certName }: Certification, language: string): string {
  const { certification, own } = calendarMessages(language)
  const name = oneLine(certName)
  return name === '' ? own.certificationExpires : certification.expires(name)
}
