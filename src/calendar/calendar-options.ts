import { noneChosen, selectField, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { flag, oneOf, wholeNumber, wholeNumbers } from '../options/value-types.ts'
import { filterOptions } from '../search/search-options.ts'
import { colorType } from './color.ts'
import { calendarMessages } from './messages.ts'
import { dayReminders, maxAlarms } from './reminders.ts'

const maxDays = 3650
export const maxAlarmMinutes = 4 * 7 * 24 * 60

export const calendarOptions = {
  ...filterOptions,
  pastDays: {
    name: 'past',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: (language) => [selectField(calendarMessages(language).options.past)],
  },
  futureDays: {
    name: 'future',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: (language) => [selectField(calendarMessages(language).options.future)],
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
  },
  dayReminders: {
    name: 'dayalarm',
    type: dayReminders,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.dayAlarm)],
  },
  cancelled: {
    name: 'cancelled',
    type: oneOf(['drop', 'mark']),
    defaultValue: 'drop',
    fields: (language) => [selectField(calendarMessages(language).options.cancelled)],
  },
  changes: {
    name: 'changes',
    type: oneOf(['none', 'note']),
    defaultValue: 'none',
    fields: (language) => [selectField(calendarMessages(language).options.changes)],
  },
  busy: {
    name: 'busy',
    type: flag,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.busy)],
  },
  color: {
    name: 'color',
    type: colorType,
    defaultValue: undefined,
    fields: (language) => [selectField(calendarMessages(language).options.color)],
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
