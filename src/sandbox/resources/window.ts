import { assertOrder, type Parameters, type Period } from '../parameters.ts'
import { plusDays } from '../site-dates.ts'

export type Window = {
  /** Open on both sides when everything is asked for. */
  readonly period: Period
  /** The window as a response shows it; both dates are empty where none was applied. */
  readonly shown: { readonly startDate: string; readonly endDate: string }
}

/** The days of a listing that shows only so many days from today unless more is asked for. */
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
