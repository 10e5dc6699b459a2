import { z } from 'zod'
import { isDate, isDateTime } from '../site-dates.ts'
import { repeatsIn } from './repeated-values.ts'

/*
 * Schemas for fields in records. Optional fields default to an empty string, 0 or an empty list, so that
 * records in responses always have all properties.
 */

export const id = z.int().positive()
export const title = z.string()
export const text = z.string().default('')

/** Id of a calendar, category, rank or similar. The value 0 means that it is not set. */
export const reference = z.int().min(0).default(0)
export const amount = z.number().min(0).default(0)

/** 1 = yes. */
export const flag = z.literal([0, 1]).default(0)

/** 0 = Pending, 1 = Offline, 2 = Online. */
export const status = z.literal([0, 1, 2])

export const date = z.string().refine(isDate, 'not a date yyyy-mm-dd')
export const optionalDate = orEmpty(isDate, 'neither empty nor a date yyyy-mm-dd')
export const dateTime = z.string().refine(isDateTime, 'not a date and time yyyy-mm-dd HH:mm:ss')
export const optionalDateTime = orEmpty(
  isDateTime,
  'neither empty nor a date and time yyyy-mm-dd HH:mm:ss',
)

/** Accepts other formats, because the specification gives `HH:mm:ss` only as an example. */
export const optionalTime = orEmpty(isTime, 'neither empty nor a time like 19:00:00 or 7:00 PM')

/** Dates of an event, with times unless it is all-day. */
export const schedule = {
  startDate: date,
  endDate: optionalDate,
  allDay: flag,
  startTime: optionalTime,
  endTime: optionalTime,
}

/** Authors and times of creation and of the last change. */
export const history = {
  created: optionalDateTime,
  createdBy: text,
  modified: optionalDateTime,
  modifiedBy: text,
}

/** Creates the schema for a list of items with unique ids in a record. The list defaults to empty. */
export function listOf<T extends z.ZodType<{ readonly id: number }>>(thing: T) {
  return z
    .array(thing)
    .superRefine((things, context) => {
      for (const { index, first } of repeatsIn(things.map(({ id }) => id))) {
        const message = `same id as ${first}`
        context.addIssue({ code: 'custom', path: [index, 'id'], message })
      }
    })
    .default([])
}

/** Files attached to meeting minutes and documents. */
export const files = listOf(
  z.strictObject({
    id,
    fileName: title,
    extension: text,
    fileSize: amount,
  }),
)

function orEmpty(isValid: (text: string) => boolean, message: string) {
  return z
    .string()
    .refine((value) => value === '' || isValid(value), message)
    .default('')
}

function isTime(value: string): boolean {
  return /^(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?|(?:0?[1-9]|1[0-2]):[0-5]\d [AP]M)$/i.test(
    value,
  )
}
