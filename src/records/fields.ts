import { z } from 'zod'
import { sharedText } from './shared-texts.ts'
import { readSiteDate, readSiteDateTime, readSiteTime } from './site-time.ts'
import { cleanText } from './text.ts'

/*
 * Field schemas for records. A record is rejected if `id`, `status` or a `required` field is
 * invalid. Other fields treat an invalid value as missing.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** Reads any non-scalar value (missing, `null`, a list, an object) as `''`. */
const leniently = z
  .unknown()
  .optional()
  .transform((value) => scalar.safeParse(value).data ?? '')

/** Trimmed text without control characters. */
export const text = leniently.transform((value) => sharedText(cleanText(value).trim()))

/** Makes equal results of a function share memory. */
function shared(read: (text: string) => string | undefined) {
  return (value: string) => {
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

export const optionalNumber = leniently.transform((value) => {
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? undefined : number
})

/** A boolean. The specification writes true as `1`. */
export const flag = leniently.transform((value) => ['1', 'true'].includes(value.trim()))

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
  const date = readSiteDate(value)
  const dateTime = date === undefined ? readSiteDateTime(value) : `${date}T23:59:59`
  if (dateTime === undefined) context.addIssue({ code: 'custom', message: notADateTime })
  return dateTime
})

export const optionalDate = text.transform(readSiteDate)
export const optionalDateTime = text.transform(shared(readSiteDateTime))

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

/** A list inside a record. Any other value is read as an empty list. */
export function listOf<T extends z.ZodType>(thing: T) {
  return z
    .unknown()
    .optional()
    .transform((value): readonly unknown[] => (Array.isArray(value) ? value : []))
    .pipe(z.array(thing))
}

const readTime = shared(readSiteTime)

const scheduledTime = text.transform((value) =>
  value === '' ? undefined : (readTime(value) ?? null),
)

/** Dates of an event, with times unless it is all-day. `null` means an invalid value. */
export const schedule = {
  startDate: requiredDate,
  endDate: text.transform((value) => (value === '' ? undefined : (readSiteDate(value) ?? null))),
  allDay: flag,
  startTime: scheduledTime,
  endTime: scheduledTime,
}

export const history = {
  created: optionalDateTime,
  createdBy: text,
  modified: optionalDateTime,
  modifiedBy: text,
}
