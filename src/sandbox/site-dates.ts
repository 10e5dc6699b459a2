import { DateTime } from 'luxon'

/** Returns `yyyy-mm-dd HH:mm:ss` in site time. */
export function siteDateTime(now: number, timeZone: string): string {
  return DateTime.fromMillis(now, { zone: timeZone }).toFormat('yyyy-MM-dd HH:mm:ss')
}

export function plusDays(date: string, days: number): string {
  return DateTime.fromISO(date, { zone: 'utc' }).plus({ days }).toFormat('yyyy-MM-dd')
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text, { zone: 'utc' }).isValid
}

export function isDateTime(text: string): boolean {
  const [date = '', time = '', ...rest] = text.split(' ')
  return isDate(date) && /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(time) && rest.length === 0
}
