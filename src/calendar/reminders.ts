import type { ValueType } from '../options/option.ts'
import { daysAfter } from '../records/site-time.ts'
import type { EntryTime } from './calendar-entry.ts'
import type { SiteZone } from './site-zone.ts'

export const maxAlarms = 5

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** Turns off reminders for all-day entries. */
const noneWord = 'none'

/** Default time of reminders for all-day entries, one or more days before. */
const usualTime = '18:00'

/** A time on the day before or, with a plus sign, on the first day. Query strings decode `+` as a space. */
const timeForm = /^[+ ]?(?:[01]\d|2[0-3]):[0-5]\d$/

/** Reminder times for all-day entries: `18:00` on the day before, `+08:00` on the first day. */
export const dayReminders: ValueType<readonly string[]> = {
  isList: true,
  read(texts) {
    if (String(texts) === noneWord) return []
    if (texts.length > maxAlarms || !texts.every((text) => timeForm.test(text))) return undefined
    const times = texts.map((text) => text.replace(' ', '+'))
    // A plus sign sorts before digits.
    return [...new Set(times)].sort((a, b) => Number(a > b) - Number(a < b))
  },
  format: (times) => (times.length === 0 ? noneWord : times.join(',')),
  expected: (name) =>
    `at most ${maxAlarms} comma-separated times, like ${name}=18:00 for the day before or ${name}=%2B08:00 for the same day, or ${noneWord}`,
}

type ReminderOptions = {
  readonly alarmMinutes: readonly number[]
  readonly dayReminders: readonly string[] | undefined
}

/**
 * Returns an entry's reminders in minutes before its start, in ascending order. Reminders after the
 * start are negative. An all-day entry starts at midnight. By default, its reminders are at 18:00,
 * and their minutes are rounded up to whole days, at least one.
 */
export function reminderMinutes(
  time: EntryTime,
  { alarmMinutes, dayReminders: times }: ReminderOptions,
  zone: SiteZone,
): readonly number[] {
  if (!time.allDay) return alarmMinutes
  const instantAt = (days: number, clock: string) =>
    zone.momentOf(`${daysAfter(time.start, days)}T${clock}:00`).instant
  const reminders = times
    ? times.map((text) =>
        text.startsWith('+') ? instantAt(0, text.slice(1)) : instantAt(-1, text),
      )
    : alarmMinutes.map((minutes) =>
        instantAt(-Math.max(1, Math.ceil(minutes / dayMinutes)), usualTime),
      )
  const start = instantAt(0, '00:00')
  const minutes = reminders.map((instant) => (start - instant) / minuteMs)
  return [...new Set(minutes)].sort((a, b) => a - b)
}
