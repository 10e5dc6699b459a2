import { z } from 'zod'
import { oneLine } from '../text/plain-text.ts'
import {
  isPlaceholderDate,
  readSiteDate,
  readSiteDateTime,
  readSiteTime,
} from './read-site-time.ts'
import { sharedText } from './shared-texts.ts'
import type { SiteDate, SiteTime } from './site-time.ts'
import { cleanText, shortenedText } from '../text/text.ts'

/*
 * Field schemas for records. A record is rejected if `id`, `status` or a `required` field is
 * invalid. Other fields treat an invalid value as missing.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** Reads any non-scalar value (missing, `null`, a list, an object) as `''`. */
const leniently = z.unknown().optional().transform(textOf)

/** Faster than parsing with `scalar`, because this reads most fields of a record. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : ''
}

/** Trimmed text without control characters. */
export const text = leniently.transform((value) => sharedText(cleanText(value).trim()))

/** Makes equal results of a function share memory. */
function shared(read: (text: string) => string | undefined) {
  return (value: string): string | undefined => {
    const result = read(value)
    return result === undefined ? undefined : sharedText(result)
  }
}

/** Several texts, in the given order. */
export function texts<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, text])) as {
    readonly [N in Name]: typeof text
  }
}

/** A record's id: a positive integer, as a number or a string. */
export const id = scalar.pipe(z.coerce.number<string>().int().positive())

/** The id of something that a record may belong to. Websites write 0, null or nothing for none. */
export const optionalId = leniently.transform((value) => id.safeParse(value).data)

export const optionalNumber = leniently.transform((value) => {
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? undefined : number
})

/** A boolean. The specification writes true as `1`. */
export const flag = leniently.transform((value) =>
  ['1', 'true', 'yes'].includes(value.trim().toLowerCase()),
)

function required<T>(read: (text: string) => T | undefined, message: string) {
  return scalar.transform((text, context) => {
    const value = read(text)
    if (value === undefined) context.addIssue({ code: 'custom', message })
    return value ?? z.NEVER
  })
}

const notADateTime = 'not a date and time'

export const requiredDate = required(shared(readSiteDate), 'not a date yyyy-mm-dd')
export const requiredDateTime = required(shared(readSiteDateTime), notADateTime)

/**
 * Optional expiry. A record with an invalid value is rejected, because it would otherwise never
 * expire. A date without a time means the end of that day.
 */
export const expiry = scalar.nullish().transform((value, context) => {
  if (value === undefined || value === null || value.trim() === '') return undefined
  if (isPlaceholderDate(value)) return undefined
  const dateTime = readSiteDateTime(value, '23:59:59')
  if (dateTime === undefined) context.addIssue({ code: 'custom', message: notADateTime })
  return dateTime
})

export const optionalDate = optional(readSiteDate)
export const optionalDateTime = optional(shared(readSiteDateTime))

/** Reads a placeholder as missing. */
function optional<T>(read: (text: string) => T | undefined) {
  return text.transform((value) => (isPlaceholderDate(value) ? undefined : read(value)))
}

export function oneOf<T extends string>(words: Readonly<Record<number, T>>) {
  const read = (text: string) =>
    Object.hasOwn(words, text.trim()) ? words[Number(text)] : undefined
  return required(read, 'not a known status')
}

/** Status of announcements, calendar events, public events, minutes, documents and sign-up sheets. */
export const status = oneOf({ 0: 'pending', 1: 'offline', 2: 'online' })

/**
 * Returns true if the website shows a record, or if the record has no status, like bookings.
 * Archived records of a custom database are not shown.
 */
export function isOnline(record: {
  /** Every record has an id. TypeScript rejects a type with only optional properties. */
  readonly id: number
  readonly status?: string
  readonly deployed?: boolean
  readonly archived?: boolean
}): boolean {
  const { status = 'online', deployed = true, archived = false } = record
  return status === 'online' && deployed && !archived
}

/** Maximum length of a list. Reading thousands of invalid members takes seconds. */
export const maxMembers = 1_000

/** A list inside a record. Any other value is read as an empty list. */
export function listOf<T extends z.ZodType>(thing: T) {
  return z
    .unknown()
    .optional()
    .transform((value): readonly unknown[] =>
      Array.isArray(value) ? value.slice(0, maxMembers) : [],
    )
    .pipe(z.array(thing))
}

/** A time that cannot be read, as one line of plain text that is never empty. */
export type UnreadTime = { readonly asWritten: string }

const readTime = shared(readSiteTime)

/** Maximum length of a time that cannot be read. */
const maxWritten = 60

const scheduledTime = text.transform((value): SiteTime | UnreadTime | undefined => {
  const time = readTime(value)
  if (value === '' || time !== undefined) return time
  const asWritten = shortenedText(oneLine(value), maxWritten)
  return asWritten === '' ? undefined : { asWritten }
})

/** Dates of an event, with times unless it is all-day. `null` means an invalid date. */
export const schedule = {
  startDate: requiredDate,
  endDate: text.transform((value) => (value === '' ? undefined : (readSiteDate(value) ?? null))),
  allDay: flag,
  startTime: scheduledTime,
  endTime: scheduledTime,
}

/** Returns the last day of a record. Websites store placeholders, such as 1900-01-01, for no date. */
export function lastDateOf(record: {
  readonly startDate: SiteDate
  readonly endDate?: SiteDate | null | undefined
}): SiteDate {
  const { startDate, endDate } = record
  return endDate && endDate > startDate ? endDate : startDate
}

export const history = {
  created: optionalDateTime,
  createdBy: text,
  modified: optionalDateTime,
  modifiedBy: text,
}
