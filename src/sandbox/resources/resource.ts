import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { Parameters, Period } from '../parameters.ts'

/** The website's state at the time of a call. */
export type Site = {
  /** Origin of the website. */
  readonly url: string
  /** Site date, `yyyy-mm-dd`. */
  readonly today: string
  /** Site time, `yyyy-mm-dd HH:mm:ss`. */
  readonly now: string
}

export type Selection = {
  readonly items: readonly object[]
  /** Top-level properties in addition to the standard ones. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/**
 * A data endpoint, with the schema for its records and a function that selects records for a call.
 */
export type Resource<R> = {
  readonly record: z.ZodType<R>
  readonly select: (records: readonly R[], parameters: Parameters, site: Site) => Selection
}

export function recordOf<R extends { readonly id: number }>(records: readonly R[], id: number): R {
  const record = records.find((candidate) => candidate.id === id)
  if (!record) throw new ApiError('not_found')
  return record
}

/**
 * Returns true if a date or date-time is in a period. An empty date is only in an unbounded period.
 */
export function isDuring({ start, end }: Period, dateTime: string): boolean {
  const date = dateTime.slice(0, 10)
  if (date === '') return start === undefined && end === undefined
  return (start === undefined || date >= start) && (end === undefined || date <= end)
}

/** Returns true if an event of one or more days overlaps a period. */
export function overlaps(
  { start, end }: Period,
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
): boolean {
  const lastDate = endDate === '' ? startDate : endDate
  return (start === undefined || lastDate >= start) && (end === undefined || startDate <= end)
}
