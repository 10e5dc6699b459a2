import { noneChosen, selectField, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { flag, oneOf, wholeNumber, wholeNumbers } from '../options/value-types.ts'
import { placeOptions, searchOptions } from '../search/search-options.ts'
import { colorType } from './color.ts'
import { calendarMessages } from './messages.ts'
import { dayReminders, maxAlarms } from './reminders.ts'

const maxDays = 3650
export const maxAlarmMinutes = 4 * 7 * 24 * 60

/** Options that every calendar has. */
export const calendarOptions = {
  ...searchOptions,
  ...placeOptions,
  pastDays: {
    name: 'past',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: (language) => [selectField(calendarMessages(language).options.past)],
    example: 'past=7',
    meaning: 'number of past days to include; with `past=0`, the calendar starts today',
  },
  futureDays: {
    name: 'future',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: (language) => [selectField(calendarMessages(language).options.future)],
    example: 'future=30',
    meaning: 'number of future days to include; with `future=0`, the calendar ends today',
  },
  alarmMinutes: {
    name: 'alarm',
    type: wholeNumbers(maxAlarmMinutes, maxAlarms, '30,1440'),
    defaultValue: [],
    fields: (language) => {
      const { alarm, secondAlarm } = calendarMessages(language).options
      const field = { ...selectField(alarm), leads: true }
      return [
        { ...field, shows: 'first' },
        { ...field, label: secondAlarm, shows: 'others' },
      ]
    },
    example: 'alarm=30,1440',
    meaning:
      'adds reminders this many minutes before each entry starts; reminders for all-day entries are at 18:00, that many whole days before but at least one, unless there is a `dayalarm`',
  },
  dayReminders: {
    name: 'dayalarm',
    type: dayReminders,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.dayAlarm)],
    example: 'dayalarm=18:00',
    meaning:
      'adds reminders for all-day entries at this time on the day before or, with `+`, on the first day; with `none`, all-day entries have no reminders',
  },
  cancelled: {
    name: 'cancelled',
    type: oneOf(['drop', 'mark']),
    defaultValue: 'drop',
    fields: (language) => [selectField(calendarMessages(language).options.cancelled)],
    example: 'cancelled=mark',
    meaning:
      'with `mark`, deleted and offline entries stay in the calendar for 14 days, with a title that starts with "Canceled:"; the default is `cancelled=drop`',
  },
  changes: {
    name: 'changes',
    type: oneOf(['none', 'note']),
    defaultValue: 'none',
    fields: (language) => [selectField(calendarMessages(language).options.changes)],
    example: 'changes=note',
    meaning:
      'with `note`, the description of an entry with a new time, place or title starts with [what has changed](calendars.md#changes), for 3 days; the default is `changes=none`',
  },
  busy: {
    name: 'busy',
    type: flag,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.busy)],
    example: 'busy=1',
    meaning:
      'with `1`, all entries block time; with `0`, none do; the default [depends on the entry](calendars.md#free-and-busy)',
  },
  color: {
    name: 'color',
    type: colorType,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.color)],
    example: 'color=b22222',
    meaning:
      "sets the calendar's color in Apple, Nextcloud and ICSx⁵, but not in Google and Outlook; the feed contains it as `COLOR` (the nearest name) and `X-APPLE-CALENDAR-COLOR`",
  },
} as const satisfies FeedOptionSet

/** Options in a calendar's URL, with the ids of the parts to show. An empty list means all parts. */
export type CalendarOptions = ValuesOf<typeof calendarOptions> & {
  readonly parts: readonly number[]
}

export const noCalendarOptions: CalendarOptions = {
  parts: [],
  ...noneChosen(calendarOptions).values,
}
