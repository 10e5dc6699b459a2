import type { PluralForms } from '../../records/messages.ts'

export type BoardMessages = typeof english

export const english = {
  today: 'Today',
  tomorrow: 'Tomorrow',
  announcement: 'Announcement',
  story: 'News',
  volunteers: 'Can you help?',
  certifications: 'Expiring certifications',
  bookings: 'Rooms in use today',
  changes: 'Changed in the last 24 hours',
  nothing: 'Nothing is planned',
  nothingToday: 'Nothing today',
  onDuty: 'On duty now',
  nextOnDuty: 'Next on duty',
  changed: 'Changed',
  follow: 'Get this on your phone',
  emergency: 'Emergency',
  test: 'Test',
  /** Names of regions on the board, for screen readers. */
  agenda: 'Agenda',
  cards: 'Cards',
  lastRead: {
    today: 'Website last read {time}',
    earlier: 'Website last read {day}, {time}',
  },
  stale: {
    today: 'No news since {time}',
    earlier: 'No news since {day}, {time}',
  },
  from: {
    time: 'from {time}',
    tomorrow: 'from tomorrow',
    tomorrowTime: 'from tomorrow {time}',
    day: 'from {day}',
    dayTime: 'from {day}, {time}',
  },
  until: {
    time: 'until {time}',
    /** `day` is the last day, inclusive. */
    tomorrow: 'until tomorrow',
    tomorrowTime: 'until tomorrow {time}',
    day: 'until {day}',
    dayTime: 'until {day}, {time}',
  },
  /** Shown if the board has not heard from the service. */
  silent: 'No answer for 15 minutes',
  inMinutes: 'in {minutes} min',
  inHours: 'in {hours} h',
  inHoursAndMinutes: 'in {hours} h {minutes} min',
  more: { other: '+{count} more' } as PluralForms,
  open: {
    one: '{open} of {places} place open',
    other: '{open} of {places} places open',
  } as PluralForms,
  /** True if the form of `open` depends on the open places, and not on all of them. */
  isOpenPlural: false,
}
