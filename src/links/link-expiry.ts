import { DateTime } from 'luxon'

/** Returns the end of a day at the site; undefined for an invalid or past day. */
export function readExpiry(
  day: string,
  { timeZone, now }: { readonly timeZone: string; readonly now: number },
): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const end = DateTime.fromISO(day, { zone: timeZone }).endOf('day')
  return end.isValid && end.toMillis() > now ? end.toMillis() : undefined
}
