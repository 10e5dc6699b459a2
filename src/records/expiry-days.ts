import { daysBetween, type SiteDate } from './site-time.ts'

/** Days before a certification expires on which people are reminded. */
export const expiryDays = [90, 60, 30] as const

export const firstExpiryDays = expiryDays[0]

/** Returns true if a reminder was due within the last `days` days, including `today`. */
export function isReminded(expires: SiteDate, today: SiteDate, days: number): boolean {
  const left = daysBetween(today, expires)
  return expiryDays.some((due) => left <= due && left > due - days)
}
