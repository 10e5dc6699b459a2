import { z } from 'zod'
import { lastDateOf } from './fields.ts'
import type { RecordOf } from './read-records.ts'
import type { FeedResource } from './resources.ts'
import { lineWithCommas, oneLine } from '../text/plain-text.ts'
import { placesOf } from './sign-up-sheet.ts'
import type { SiteDateTime } from './site-time.ts'

/** How long changes are kept and shown. */
export const changeKeptMs = 90 * 24 * 60 * 60 * 1000

/** Changes to a record within this time count as a single change, with their net effect. */
export const singleChangeMs = 10 * 60 * 1000

/** A sign-up sheet with at most this many open places is nearly full. */
const fewPlaces = 2

const maxFactLength = 300

/** The parts of a dated record whose changes are reported. They never name people. */
const factsSchema = z.object({
  /** One line of plain text. May be empty. */
  title: z.string(),
  /** Id of the calendar or rental type, if the resource has any. */
  part: z.number().optional(),
  /** One line of plain text. Missing for resources without places. */
  place: z.string().optional(),
  startDate: z.string(),
  endDate: z.string().optional(),
  /** Missing for an all-day record. */
  startTime: z.string().optional(),
  endTime: z.string().optional(),
  /** The time of a sign-up sheet, as free text. */
  eventDate: z.string().optional(),
  /** Number of open places on a sign-up sheet, if it is known and limited. */
  open: z.number().optional(),
})

export type RecordFacts = Readonly<z.infer<typeof factsSchema>>

const recordedChangeSchema = z.object({
  /** Revision of the record after the first of these changes. */
  revision: z.number(),
  /** When the first of these changes was observed. */
  since: z.number(),
  /** When the last of these changes was observed. */
  at: z.number(),
  /** Undefined if the website did not show the record before. */
  before: factsSchema.optional(),
  /** Undefined if the website does not show the record anymore. */
  after: factsSchema.optional(),
  /** True if the website shows a record again after hiding or deleting it. */
  isBack: z.boolean().optional(),
})

/**
 * The net effect of all changes to a record within a short time. Times are in milliseconds since
 * the epoch.
 */
export type RecordedChange = Readonly<z.infer<typeof recordedChangeSchema>>

const changeHistorySchema = z.object({
  hash: z.string(),
  /** 0 until the first observed change. */
  revision: z.number(),
  firstSeenAt: z.number(),
  changedAt: z.number(),
  /** When the website first showed the record, if that is known and after the first reading. */
  appearedAt: z.number().optional(),
  /** When it became public after it was not, or 0 if it was public before that. */
  publicAt: z.number().optional(),
  /** The record's own modification time when first seen. */
  saidAt: z.string().optional(),
  /** Reported changes, oldest first. Older versions stored none, and unreadable ones are dropped. */
  changes: z.array(recordedChangeSchema).readonly().optional().catch(undefined),
})

/**
 * Observed changes to a record, which its own timestamps may not reflect. Times are in milliseconds
 * since the epoch.
 */
export type ChangeHistory = Readonly<z.infer<typeof changeHistorySchema>>

export const ledgerEntrySchema = changeHistorySchema.extend({
  removedAt: z.number().optional(),
  /** True if most records disappeared at the same time, so the record is not shown as canceled. */
  isLost: z.boolean().optional(),
  /** When it stopped being Online, and its item at that time for as long as it may be shown. */
  lastOnline: z.object({ until: z.number(), item: z.unknown().optional() }).readonly().optional(),
})

/** History of one record, whose revision increases when it changes, disappears or reappears. */
export type LedgerEntry = Readonly<z.infer<typeof ledgerEntrySchema>>

/** History by record id. Removed records, and those no longer Online, are kept for 90 days. */
export type Ledger = ReadonlyMap<number, LedgerEntry>

/** History of a record that is not in the ledger, because an older version rejected it. */
export function unrecordedHistory(changedAt: number): ChangeHistory {
  return { hash: '', revision: 0, firstSeenAt: changedAt, changedAt }
}

/**
 * Returns the time of a record's last change: its own modification time until Feedhouse observes a
 * change, then the time of the latest observed change.
 */
export function lastChangeOf(
  { revision, firstSeenAt, changedAt, saidAt }: ChangeHistory,
  instantOf: (time: SiteDateTime) => number,
): number {
  const reported = saidAt === undefined ? firstSeenAt : Math.min(instantOf(saidAt), firstSeenAt)
  return wholeSeconds(revision > 0 ? changedAt : reported)
}

/** Rounds down to whole seconds, the precision of feeds. */
export function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1000) * 1000
}

type Dated = 'calendar' | 'events' | 'rental' | 'signup'

const factsOf: { readonly [R in Dated]: (record: RecordOf[R]) => RecordFacts } = {
  calendar: (event) => ({ ...scheduled(event, event), ...present('part', event.calendarId) }),
  events: (event) => scheduled(event, event),
  rental: (booking) => ({
    ...scheduled(booking, { title: booking.type }),
    ...present('part', booking.typeId),
  }),
  signup: (sheet) => ({
    title: line(sheet.title),
    startDate: sheet.date,
    ...(sheet.eventDate === '' ? {} : { eventDate: line(sheet.eventDate) }),
    ...present('open', placesOf(sheet)?.open),
  }),
}

/** Returns true for resources with dated records, whose changes are recorded. */
export function hasRecordedChanges(resource: FeedResource): boolean {
  return resource in factsOf
}

export function factsFrom<R extends FeedResource>(
  resource: R,
  record: RecordOf[R],
): RecordFacts | undefined {
  const from = factsOf[resource as Dated] as ((record: RecordOf[R]) => RecordFacts) | undefined
  return from?.(record)
}

function scheduled(
  record: RecordOf['rental' | 'events'],
  { title, location }: { readonly title: string; readonly location?: string },
): RecordFacts {
  const { startDate, endDate, allDay, startTime, endTime } = record
  const isTimed = !allDay && typeof startTime === 'string'
  return {
    title: line(title),
    ...(location === undefined ? {} : { place: line(location, lineWithCommas) }),
    startDate,
    ...present('endDate', endDate && lastDateOf(record)),
    ...(isTimed ? { startTime, ...(typeof endTime === 'string' && { endTime }) } : {}),
  }
}

function line(html: string, convert: (html: string) => string = oneLine): string {
  return convert(html).slice(0, maxFactLength).toWellFormed()
}

function present<Name extends string, T>(name: Name, value: T | null | undefined) {
  return (value === null || value === undefined ? {} : { [name]: value }) as {
    readonly [N in Name]?: T
  }
}

/** Returns true if a difference between two versions of a record is worth an item in a feed. */
export function isReported(
  before: RecordFacts | undefined,
  after: RecordFacts | undefined,
): boolean {
  if (!before || !after) return before !== after
  return (
    before.title !== after.title ||
    before.place !== after.place ||
    isMoved(before, after) ||
    isPlacesChangeReported(before, after)
  )
}

export function isMoved(before: RecordFacts, after: RecordFacts): boolean {
  const time = ({ startDate, endDate = startDate, startTime, endTime, eventDate }: RecordFacts) =>
    JSON.stringify([startDate, endDate, startTime, endTime, eventDate])
  return time(before) !== time(after)
}

/**
 * Returns true if a sheet is nearly full, full, or has open places again. A single sign-up for a
 * sheet with many open places is not reported.
 */
export function isPlacesChangeReported({ open: was }: RecordFacts, { open }: RecordFacts): boolean {
  if (was === undefined || open === undefined || was === open) return false
  return was === 0 || (open < was && open <= fewPlaces)
}
