import { DateTime } from 'luxon'
import type { SiteDate } from '../records/site-time.ts'

const weekday = /\b(sun|mon|tue|wed|thu|fri|sat)(?:s|ur|urs|nes)?(?:day)?s?\b/gi
const monthAndDay = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})\b/gi
const isoDate = /\b\d{4}-\d{2}-\d{2}\b/g
const numericDate = /\b(\d{1,2})\/(\d{1,2})(?:\/(?:\d{2}){1,2})?\b/g

/** Whether people's own words name days, and the date is none of them. */
export function namesAnotherDay(text: string, date: SiteDate): boolean {
  const day = DateTime.fromISO(date, { zone: 'utc', locale: 'en' })
  const named: readonly (readonly [names: readonly string[], own: string])[] = [
    [[...text.matchAll(weekday)].map(([, name = '']) => name), day.toFormat('ccc')],
    [
      [...text.matchAll(monthAndDay)].map(([, month, number]) => `${month} ${Number(number)}`),
      day.toFormat('LLL d'),
    ],
    [[...text.matchAll(isoDate)].map(([name]) => name), date],
    [
      [...text.matchAll(numericDate)].map(
        ([, month, number]) => `${Number(month)}/${Number(number)}`,
      ),
      day.toFormat('L/d'),
    ],
  ]
  return named.some(
    ([names, own]) =>
      names.length > 0 && !names.some((name) => name.toLowerCase() === own.toLowerCase()),
  )
}
