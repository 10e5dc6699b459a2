import type { z } from 'zod'
import { ApiError } from '../api-error.ts'
import type { Parameters, Period } from '../parameters.ts'

/** The website at the time of a call. */
export type Site = {
  /** Origin. */
  readonly url: string
  /** Site date, `yyyy-mm-dd`. */
  readonly today: string
  /** Site time, `yyyy-mm-dd HH:mm:ss`. */
  readonly now: string
}

export type Selection = {
  readonly items: readonly object[]
  /** Top-level properties beside the common envelope. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** One data endpoint: what a record of it is in a dataset, and what a call shows of the records. */
export type Resource<R> = {
  readonly record: z.ZodType<R>
  readonly select: (records: readonly R[], parameters: Parameters, site: Site) => Selection
}

export function recordOf<R extends { readonly id: number }>(records: readonly R[], id: number): R {
  const record = records.find((candidate) => candidate.id === id)
  if (!record) throw new ApiError('not_found')
  return record
}

/** Whether a date or date-time lies in a period; no date lies in no period. */
export function isDuring({ start, end }: Period, dateTime: string): boolean {
  const date = dateTime.slice(0, 10)
  if (date === '') return start === undefined && end === undefined
  return (start === undefined || date >= start) && (end === undefined || date <= end)
}

/** Whether what happens from a date to another, or on one day, touches a period. */
export function overlaps(
  { start, end }: Period,
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
): boolean {
  const lastDate = endDate === '' ? startDate : endDate
  return (start === undefined || lastDate >= start) && (end === undefined || startDate <= end)
}
