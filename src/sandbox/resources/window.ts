import { assertOrder, type Parameters, type Period } from '../parameters.ts'
import { plusDays } from '../site-dates.ts'

export type Window = {
  /** Open on both sides if everything is requested. */
  readonly period: Period
  /** The window as shown in the response; both dates are empty if none was applied. */
  readonly shown: { readonly startDate: string; readonly endDate: string }
}

/** Returns the window of a listing limited to a number of days from today by default. */
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
