import { assertOrder, type Parameters, type Period } from '../parameters.ts'
import { plusDays } from '../site-dates.ts'

export type Window = {
  /** Period of the selected records. It is unbounded if all records are requested. */
  readonly period: Period
  /** Window as shown in the response; both dates are empty if no window was applied. */
  readonly shown: { readonly startDate: string; readonly endDate: string }
}

/** Returns the window for a list. By default, the window covers a number of days from today. */
export function windowFrom(
  parameters: Parameters,
  { today, days, isOpen }: { today: string; days: number; isOpen: boolean },
): Window {
  const given = parameters.period()
  if (isOpen) {
    return { period: { start: undefined, end: undefined }, shown: { startDate: '', endDate: '' } }
  }
  const startDate = given.start ?? today
  const endDate = given.end ?? plusDays(today, days)
  assertOrder(startDate, endDate)
  return { period: { start: startDate, end: endDate }, shown: { startDate, endDate } }
}
