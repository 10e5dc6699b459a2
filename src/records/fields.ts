import { z } from 'zod'
import { readSiteDate, readSiteDateTime, readSiteTime } from './site-time.ts'
import { cleanText } from './text.ts'

/*
 * What records are read with. `id`, `status` and the `required` ones decide whether a record can be
 * used at all; the others read whatever is there, and what makes no sense reads as not given.
 */

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** `''` for whatever is no text: missing, `null`, a list, an object. */
const leniently = z
  .unknown()
  .optional()
  .transform((value) => scalar.safeParse(value).data ?? '')

/** Text without control characters and without space around it. */
export const text = leniently.transform((value) => cleanText(value).trim())

/** A record's id: a positive number, also when written as a string. */
export const id = scalar.pipe(z.coerce.number<string>().int().positive())

export const optionalNumber = leniently.transform((value) => {
  const number = Number(value)
  return value.trim() === '' || !Number.isFinite(number) ? undefined : number
})

/** The specification's `1` for yes. */
export const flag = leniently.transform((value) => ['1', 'true'].includes(value.trim()))

export const requiredDate = scalar.transform((value, context) => {
  const date = readSiteDate(value)
  if (date === undefined) context.addIssue({ code: 'custom', message: 'not a date yyyy-mm-dd' })
  return date ?? z.NEVER
})

export const requiredDateTime = scalar.transform((value, context) => {
  const dateTime = readSiteDateTime(value)
  if (dateTime === undefined) context.addIssue({ code: 'custom', message: notADateTime })
  return dateTime ?? z.NEVER
})

/**
 * Empty for never; anything else must be a date and time, or what ends would never end. A date alone is
 * its end.
 */
export const expiry = scalar.nullish().transform((value, context) => {
  if (value === undefined || value === null || value.trim() === '') return undefined
  const date = readSiteDate(value)
  const dateTime = date === undefined ? readSiteDateTime(value) : `${date}T23:59:59`
  if (dateTime === undefined) context.addIssue({ code: 'custom', message: notADateTime })
  return dateTime
})

const notADateTime = 'not a date and time'

export const optionalDate = text.transform(readSiteDate)
export const optionalDateTime = text.transform(readSiteDateTime)

/** A number that stands for one of a few words. */
export function oneOf<T extends string>(words: Readonly<Record<number, T>>) {
  return scalar.transform((value, context) => {
    const known = Object.hasOwn(words, value.trim()) ? words[Number(value)] : undefined
    if (known === undefined) context.addIssue({ code: 'custom', message: 'not a known status' })
    return known ?? z.NEVER
  })
}

/** Status of announcements, calendar events, public events, minutes, documents and sign up sheets. */
export const status = oneOf({ 0: 'pending', 1: 'offline', 2: 'online' })

/** Things within a record; none when it is no list. */
export function listOf<T extends z.ZodType>(thing: T) {
  return z
    .unknown()
    .optional()
    .transform((value): readonly unknown[] => (Array.isArray(value) ? value : []))
    .pipe(z.array(thing))
}

const scheduledTime = text.transform((value) =>
  value === '' ? undefined : (readSiteTime(value) ?? null),
)

/** When something happens: days, and times unless it is all-day; `null` is what cannot be read. */
export const schedule = {
  startDate: requiredDate,
  endDate: text.transform((value) => (value === '' ? undefined : (readSiteDate(value) ?? null))),
  allDay: flag,
  startTime: scheduledTime,
  endTime: scheduledTime,
}

/** Who made and changed a record, and when; on every resource that has a history. */
export const history = {
  created: optionalDateTime,
  createdBy: text,
  modified: optionalDateTime,
  modifiedBy: text,
}
