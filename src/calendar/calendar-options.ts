/** Which of a resource's parts an option chooses: calendars or rental types. */
export type FilterParameter = 'calendar' | 'type'

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

/** What an address without options gives. */
export const noCalendarOptions: CalendarOptions = {
  parts: [],
  pastDays: undefined,
  futureDays: undefined,
  alarmMinutes: [],
  cancelled: 'drop',
  busy: undefined,
  color: undefined,
}
