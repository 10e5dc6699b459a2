import { z } from 'zod'
import { databaseRecordSchema } from './custom-database.ts'
import * as field from './fields.ts'
import { longListIn, membersIn } from './list-sizes.ts'
import { databaseIdFrom, type DatabaseResource } from './resources.ts'
import { signUpSheetSchema } from './sign-up-sheet.ts'
import { sharingTexts } from './shared-texts.ts'
import * as training from './training-record.ts'

const forumPost = {
  id: field.id,
  title: field.text,
  status: field.oneOf({ 1: 'online', 2: 'offline', 3: 'locked' }),
  locked: field.flag,
  created: field.optionalDateTime,
  createdBy: field.text,
  lastPost: field.optionalDateTime,
}

const filed = {
  ...field.texts('title', 'text'),
  status: field.status,
  public: field.flag,
  categoryId: field.optionalNumber,
  category: field.text,
  ...field.history,
  files: field.listOf(
    z.object({
      id: field.id,
      ...field.texts('fileName', 'extension'),
      fileSize: field.optionalNumber,
    }),
  ),
}

const publicEvent = z.object({
  id: field.id,
  title: field.text,
  status: field.status,
  ...field.texts('location', 'contact', 'text'),
  ...field.schedule,
  ...field.history,
})

/** An active member on the roster, without phone numbers and addresses, which only contacts need. */
const member = z.object({
  id: field.id,
  ...field.texts('firstName', 'middleInitial', 'lastName', 'rank'),
})

const schemas = {
  /** `text` may contain HTML. An announcement without `expires` never expires. */
  announce: z.object({
    id: field.id,
    ...field.texts('headline', 'text'),
    status: field.status,
    expires: field.expiry,
    ...field.history,
  }),
  /** An event from the members' area, in one of the site's calendars. */
  calendar: publicEvent.extend({ calendarId: field.optionalId, calendar: field.text }),
  databases: z.object({ id: field.id, ...field.texts('title', 'description', 'type') }),
  'databases/records': databaseRecordSchema,
  discuss: z.object({ ...forumPost, replyCount: field.optionalNumber }),
  'discuss/replies': z.object({ ...forumPost, text: field.text }),
  /** `text` may contain HTML. Documents with `public` set are visible on the public website. */
  documents: z.object({ id: field.id, ...filed }),
  events: publicEvent,
  guestbook: z.object({
    id: field.id,
    created: field.requiredDateTime,
    status: field.status,
    ...field.texts('name', 'email', 'rank', 'location', 'website', 'text'),
  }),
  members: member,
  /** An active member with contact data, which is only read for links that include the members. */
  'members/contacts': member.extend({
    ...field.texts('phone1', 'phone1Type', 'phone2', 'phone2Type', 'phone3', 'phone3Type'),
    ...field.texts('email', 'address1', 'address2', 'city', 'state', 'zip'),
  }),
  minutes: z.object({ id: field.id, meetingDate: field.requiredDate, ...filed }),
  news: z.object({
    id: field.id,
    date: field.requiredDateTime,
    headline: field.text,
    deployed: field.flag,
    ...field.texts('author', 'text', 'address', 'units', 'mutualAid'),
    featured: field.flag,
    categoryId: field.optionalNumber,
    category: field.text,
    ...field.history,
    links: field.listOf(z.object({ text: field.text, url: field.text })),
    images: field.listOf(
      z.object({
        id: field.id,
        ...field.texts('url', 'caption'),
        width: field.optionalNumber,
        height: field.optionalNumber,
        fileSize: field.optionalNumber,
        front: field.flag,
      }),
    ),
    attachments: field.listOf(
      z.object({
        id: field.id,
        ...field.texts('fileName', 'url', 'extension'),
        fileSize: field.optionalNumber,
        posted: field.optionalDateTime,
      }),
    ),
    videos: field.listOf(
      z.object({ id: field.id, embedCode: field.text, posted: field.optionalDateTime }),
    ),
  }),
  /** A booking for one of the site's rental types. All fields except type and times are personal. */
  rental: z.object({
    id: field.id,
    typeId: field.optionalNumber,
    type: field.text,
    ...field.schedule,
    ...field.texts('renter', 'renterPhone', 'details'),
  }),
  signup: signUpSheetSchema,
  training: training.certificationExpirySchema,
  'training/presentations': training.presentationSchema,
  'training/quizzes': training.quizSchema,
  'training/certifications': training.certificationSchema,
  'training/membercerts': training.memberCertificationSchema,
}

export type RecordKind = keyof typeof schemas

export type RecordOf = {
  readonly [Kind in RecordKind]: Readonly<z.output<(typeof schemas)[Kind]>>
} & { readonly [Resource in DatabaseResource]: Readonly<z.output<typeof databaseRecordSchema>> }

export const recordKinds = Object.keys(schemas) as readonly RecordKind[]

/** A fault of a record. Does not include the content, which may be personal. */
export type RecordFault = {
  readonly id: string
  readonly reason: string
  /** How much can be read. A `part` lacks invalid members of the record's lists. */
  readonly readable: 'all' | 'part' | 'nothing'
}

type Issue = z.core.$ZodIssue

export function schemaOf(kind: keyof RecordOf): z.ZodType {
  return schemas[databaseIdFrom(kind) === undefined ? (kind as RecordKind) : 'databases/records']
}

const maxReasonLength = 300

/**
 * Stands for a record that is left out because it is too large to be read. The website's own items
 * never have this property, because unknown ones are removed from them.
 */
export function oversizedItem(row: number, id: string | undefined): object {
  return { id: id ?? `in row ${row}`, isOversized: true }
}

/** Lists in lists can have any number of members, and reading them takes seconds. */
const maxMembersInAll = 10_000

function tooLargeReason(item: unknown): string | undefined {
  if (typeof item === 'object' && item !== null && 'isOversized' in item) {
    return 'the record is larger than 8 MiB'
  }
  if (membersIn(item) <= maxMembersInAll) return undefined
  return `the lists in the record have more than ${maxMembersInAll} members`
}

/**
 * Parses untrusted items into records with unique ids, sorted by id. Rejects invalid items. If only
 * members of a record's lists are invalid, rejects only those members.
 */
export function readRecords<Kind extends keyof RecordOf>(
  kind: Kind,
  items: readonly unknown[],
): { readonly records: readonly RecordOf[Kind][]; readonly rejected: readonly RecordFault[] } {
  return sharingTexts(() => recordsFrom(kind, items))
}

function recordsFrom<Kind extends keyof RecordOf>(kind: Kind, items: readonly unknown[]) {
  const schema = schemaOf(kind) as z.ZodType<RecordOf[Kind]>
  const byId = new Map<number, RecordOf[Kind]>()
  const rejected: RecordFault[] = []
  for (const item of items) {
    const reason = tooLargeReason(item)
    if (reason !== undefined) {
      rejected.push({ id: idOf(item), reason, readable: 'nothing' })
      continue
    }
    const { record, issues } = readItem(schema, item)
    if (record) byId.set(record.id, record)
    const fault = faultOf(item, record, issues)
    if (fault) rejected.push({ id: idOf(item), ...fault })
  }
  return { records: [...byId.values()].sort((a, b) => a.id - b.id), rejected }
}

function faultOf(
  item: unknown,
  record: unknown,
  issues: readonly Issue[],
): Omit<RecordFault, 'id'> | undefined {
  if (issues.length > 0) {
    return { reason: reasonFrom(issues), readable: record === undefined ? 'nothing' : 'part' }
  }
  if (typeof item !== 'object' || item === null) return undefined
  const long = longListIn(item)
  if (long) {
    const reason = `${long.join('.')}: only the first ${field.maxMembers} are read`
    return { reason, readable: 'part' }
  }
  const place = lossIn(item)
  return place && { reason: `${place.join('.')}: has lost characters (\uFFFD)`, readable: 'all' }
}

/** Returns the path of a text in which the website has lost characters. */
function lossIn(value: object): readonly string[] | undefined {
  for (const name of Object.keys(value)) {
    const each: unknown = Reflect.get(value, name)
    if (typeof each === 'string') {
      if (each.includes('\uFFFD')) return [name]
    } else if (typeof each === 'object' && each !== null) {
      const path = lossIn(each)
      if (path) return [name, ...path]
    }
  }
  return undefined
}

function readItem<T>(
  schema: z.ZodType<T>,
  item: unknown,
): { readonly record?: T; readonly issues: readonly Issue[] } {
  const whole = schema.safeParse(item)
  if (whole.success) return { record: whole.data, issues: [] }
  const { issues } = whole.error
  if (!issues.every(({ path }) => path.some(isIndex))) return { issues }
  const rest = schema.safeParse(withoutBadThings(item, issues))
  return rest.success ? { record: rest.data, issues } : { issues }
}

/** Removes the innermost list members with issues. */
function withoutBadThings(item: unknown, issues: readonly Issue[]): unknown {
  const copy = structuredClone(item)
  const bad = new Map<unknown[], Set<PropertyKey | undefined>>()
  for (const { path } of issues) {
    const depth = path.findLastIndex(isIndex)
    const list = path.slice(0, depth).reduce<unknown>(at, copy) as unknown[]
    bad.set(list, (bad.get(list) ?? new Set()).add(path[depth]))
  }
  for (const [list, indexes] of bad) {
    // Those after the ones that are read have not been checked.
    const read = list.slice(0, field.maxMembers)
    const good = read.filter((_thing, index) => !indexes.has(index))
    list.splice(0, list.length, ...good)
  }
  return copy
}

function at(value: unknown, key: PropertyKey): unknown {
  return (value as Record<PropertyKey, unknown>)[key]
}

function isIndex(key: PropertyKey): boolean {
  return typeof key === 'number'
}

function idOf(item: unknown): string {
  const id = typeof item === 'object' && item !== null && 'id' in item ? item.id : undefined
  return typeof id === 'number' || typeof id === 'string' ? String(id).slice(0, 20) : 'none'
}

function reasonFrom(issues: readonly Issue[]): string {
  const reasons = issues.map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`)
  return reasons.join('; ').slice(0, maxReasonLength)
}
