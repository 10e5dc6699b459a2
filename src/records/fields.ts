import { z } from 'zod'
import { readSiteDate, readSiteDateTime, readSiteTime } from './site-time.ts'
import { cleanText } from './text.ts'

const scalar = z.union([z.string(), z.number()]).transform(String)

/** Optional text; missing, `null` and blank all read as `''`. */
export const text = scalar.nullish().transform((value) => cleanText(value ?? '').trim())

/** A record's id: a positive number, also when written as a string. */
export const id = scalar.pipe(z.coerce.number<string>().int().positive())

export const optionalNumber = scalar
  .nullish()
  .transform((value) => (value?.trim() ? Number(value) : undefined))
  .pipe(z.number().optional())

/** The specification's `1` for yes. */
export const flag = scalar.nullish().transform((value) => value?.trim() === '1')

export const requiredDate = scalar.transform((value, context) => {
  const date = readSiteDate(value)
  if (date === undefined) context.addIssue({ code: 'custom', message: 'not a date yyyy-mm-dd' })
  return date ?? z.NEVER
})

export const requiredDateTime = scalar.transform((value, context) => {
  const dateTime = readSiteDateTime(value)
  if (dateTime === undefined) context.addIssue({ code: 'custom', message: 'not a date and time' })
  return dateTime ?? z.NEVER
})

export const optionalDate = text.transform(readSiteDate)
export const optionalTime = text.transform(readSiteTime)
export const optionalDateTime = text.transform(readSiteDateTime)

const statusByNumber: Readonly<Record<string, 'pending' | 'offline' | 'online'>> = {
  0: 'pending',
  1: 'offline',
  2: 'online',
}

/** Status of announcements, calendar events, public events, minutes, documents and sign up sheets. */
export const status = scalar.transform((value, context) => {
  const known = statusByNumber[value.trim()]
  if (known === undefined) context.addIssue({ code: 'custom', message: 'not a known status' })
  return known ?? z.NEVER
})

/** Who made and changed a record, and when; on every resource that has a history. */
export const history = {
  created: optionalDateTime,
  createdBy: text,
  modified: optionalDateTime,
  modifiedBy: text,
}
