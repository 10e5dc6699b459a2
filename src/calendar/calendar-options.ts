import type { FeedOption, FeedOptionSet, SelectField } from '../options/feed-option.ts'
import { noneChosen } from '../options/option.ts'
import { flag, ids, oneOf, text, wholeNumber, wholeNumbers } from '../options/value-types.ts'
import { colorFrom } from './color.ts'

/** What a subscriber may choose in the address of a calendar. */
export type CalendarOptions = {
  /** The ids of the calendars or rental types to show, ascending; none is all. */
  readonly parts: readonly number[]
  /** Undefined is all that is kept. */
  readonly pastDays: number | undefined
  readonly futureDays: number | undefined
  /** How long before each entry reminders come, ascending. */
  readonly alarmMinutes: readonly number[]
  readonly cancelled: 'mark' | 'drop'
  /** Whether every entry blocks time, or none does; undefined leaves it to the resource. */
  readonly busy: boolean | undefined
  /** Six hexadecimal digits; undefined leaves the color to the app. */
  readonly color: string | undefined
}

const maxDays = 3650
const maxAlarmMinutes = 4 * 7 * 24 * 60
const maxAlarms = 5

const alarmChoices: SelectField['choices'] = [
  ['', 'none'],
  ['0', 'at the start'],
  ['15', '15 minutes before'],
  ['60', '1 hour before'],
  ['120', '2 hours before'],
  ['1440', '1 day before'],
]

/** The options of every calendar. */
export const calendarOptions: FeedOptionSet<Omit<CalendarOptions, 'parts'>> = {
  pastDays: {
    name: 'past',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: [
      {
        label: 'Past entries',
        choices: [
          ['', 'all'],
          ['0', 'none'],
          ['30', '30 days'],
          ['365', 'a year'],
        ],
      },
    ],
    example: 'past=7',
    meaning: 'what ended at most this many days ago; `past=0` starts today',
  },
  futureDays: {
    name: 'future',
    type: wholeNumber(0, maxDays),
    defaultValue: undefined,
    selectsRecords: true,
    fields: [
      {
        label: 'Future entries',
        choices: [
          ['', 'all'],
          ['14', '14 days'],
          ['90', '90 days'],
          ['365', 'a year'],
        ],
      },
    ],
    example: 'future=30',
    meaning: 'what starts at most this many days ahead; `future=0` ends today',
  },
  alarmMinutes: {
    name: 'alarm',
    type: wholeNumbers({ min: 0, max: maxAlarmMinutes, maxCount: maxAlarms, example: '30,1440' }),
    defaultValue: [],
    selectsRecords: false,
    fields: [
      { label: 'Reminder', shows: 'first', leads: true, choices: alarmChoices },
      { label: 'Remind again', shows: 'others', leads: true, choices: alarmChoices },
    ],
    example: 'alarm=30,1440',
    meaning:
      'reminders this many minutes before each entry; for all-day entries, before midnight at their start',
  },
  cancelled: {
    name: 'cancelled',
    type: oneOf(['drop', 'mark']),
    defaultValue: 'drop',
    selectsRecords: false,
    fields: [
      {
        label: 'Cancelled entries',
        choices: [
          ['', 'disappear'],
          ['mark', 'stay for 14 days, marked'],
        ],
      },
    ],
    example: 'cancelled=mark',
    meaning:
      '`mark` keeps entries that were deleted or taken offline for 14 days, as last shown and titled "Cancelled: ..."; default `cancelled=drop`',
  },
  busy: {
    name: 'busy',
    type: flag,
    defaultValue: undefined,
    selectsRecords: false,
    fields: [
      {
        label: 'Show me as',
        choices: [
          ['', 'app default'],
          ['0', 'free'],
          ['1', 'busy'],
        ],
      },
    ],
    example: 'busy=1',
    meaning:
      '`1`: every entry blocks time; `0`: none does; default: [it depends](calendars.md#free-and-busy)',
  },
  color: {
    name: 'color',
    type: text(colorFrom, {
      expected: 'a CSS color name like firebrick, or six hexadecimal digits like b22222',
      documented: 'a CSS color name, or six hexadecimal digits',
    }),
    defaultValue: undefined,
    selectsRecords: false,
    fields: [
      {
        label: 'Color',
        choices: [
          ['', 'app default'],
          ['b22222', 'red'],
          ['d2691e', 'orange'],
          ['2e8b57', 'green'],
          ['4169e1', 'blue'],
          ['6a5acd', 'purple'],
        ],
      },
    ],
    example: 'color=b22222',
    meaning:
      "the calendar's color (`COLOR` with the nearest name, and `X-APPLE-CALENDAR-COLOR`); Apple, Nextcloud and ICSx⁵ use it, Google and Outlook don't",
  },
}

/** An option that chooses among the subsets of a feed's records; the form offers those by name. */
export function subsetOption(
  name: string,
  documented: Pick<FeedOption<unknown>, 'example' | 'meaning'>,
): FeedOption<readonly number[]> {
  return { name, type: ids, defaultValue: [], selectsRecords: true, fields: [], ...documented }
}

/** What an address without options gives. */
export const noCalendarOptions: CalendarOptions = {
  parts: [],
  ...noneChosen(calendarOptions).values,
}
