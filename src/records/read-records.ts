import type { z } from 'zod'
import { customDatabaseSchema, databaseRecordSchema } from './custom-database.ts'
import * as site from './record-schemas.ts'
import { databaseIdFrom, type DatabaseResource } from './resources.ts'
import { signUpSheetSchema } from './sign-up-sheet.ts'
import * as training from './training-record.ts'

const schemas = {
  announce: site.announcementSchema,
  calendar: site.calendarEventSchema,
  databases: customDatabaseSchema,
  'databases/records': databaseRecordSchema,
  discuss: site.forumTopicSchema,
  'discuss/replies': site.forumReplySchema,
  documents: site.documentSchema,
  events: site.publicEventSchema,
  guestbook: site.guestbookEntrySchema,
  members: site.memberSchema,
  'members/contacts': site.memberContactSchema,
  minutes: site.meetingMinutesSchema,
  news: site.newsStorySchema,
  rental: site.rentalBookingSchema,
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

/** Reason for rejecting a record or part of one. Does not include the content, which may be personal. */
export type RejectedRecord = { readonly id: string; readonly reason: string }

type Issue = z.core.$ZodIssue

/** Returns the schema for a record kind, or for the records of a custom database. */
export function schemaOf(kind: keyof RecordOf): z.ZodType {
  return schemas[databaseIdFrom(kind) === undefined ? (kind as RecordKind) : 'databases/records']
}

const maxReasonLength = 300

/**
 * Parses untrusted items into records with unique ids, sorted by id. Rejects invalid items. If only
 * members of a record's lists are invalid, rejects only those members.
 */
export function readRecords<Kind extends keyof RecordOf>(
  kind: Kind,
  items: readonly unknown[],
): { readonly records: readonly RecordOf[Kind][]; readonly rejected: readonly RejectedRecord[] } {
  const schema = schemaOf(kind) as z.ZodType<RecordOf[Kind]>
  const byId = new Map<number, RecordOf[Kind]>()
  const rejected: RejectedRecord[] = []
  for (const item of items) {
    const { record, issues } = readItem(schema, item)
    if (record) byId.set(record.id, record)
    if (issues.length > 0) rejected.push({ id: idOf(item), reason: reasonFrom(issues) })
  }
  return { records: [...byId.values()].sort((a, b) => a.id - b.id), rejected }
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
    list.splice(0, list.length, ...list.filter((_thing, index) => !indexes.has(index)))
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
