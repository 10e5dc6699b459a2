import { pluralIn } from '../../records/messages.ts'
import { listInWords } from '../../text/text.ts'

export type CalendarMessages = typeof english

/** Messages about open places, placed before or after a description of the entry. */
type PlacesTexts = {
  readonly full: (text: string) => string
  readonly left: (open: number, text: string) => string
  readonly again: (open: number, text: string) => string
}

const plural = pluralIn('en')

const places = (open: number) => plural(open, { one: '1 place', other: `${open} places` })

const placesAfter: PlacesTexts = {
  full: (text) => `${text}; full`,
  left: (open, text) => `${text}; ${places(open)} left`,
  again: (open, text) => `${text}; ${places(open)} open again`,
}

const placesBefore: PlacesTexts = {
  full: (text) => `Full: ${text}`,
  left: (open, text) => `${places(open)} left: ${text}`,
  again: (open, text) => `${places(open)} open again: ${text}`,
}

export const english = {
  /** Default title, because some clients reject an event without SUMMARY. */
  untitled: 'Untitled',
  canceled: (entry: string) => `Canceled: ${entry}`,
  labeled: (label: string, value: string) => `${label}: ${value}`,
  list: listInWords,
  contact: 'Contact',
  time: 'Time',
  rental: {
    reserved: 'Reserved',
    renter: 'Renter',
    phone: 'Phone',
    rental: 'Rental',
    /** `Hall rental`, from the website's name for the type of rental. */
    of: (type: string) => (/\brentals?$/i.test(type) ? type : `${type} rental`),
  },
  certification: {
    expires: (certification: string) => `${certification} expires`,
    issued: 'Issued',
    number: 'Certificate number',
  },
  signUp: {
    group: 'Group',
    position: 'Place',
    signedUp: (people: number) => `${people} signed up`,
    taken: 'taken',
    takenOf: (taken: number) => `${taken} taken`,
    open: 'open',
    openOf: (open: number) => `${open} open`,
    placesOpen: (open: number, all: number) =>
      plural(all, { one: `${open} of 1 place open`, other: `${open} of ${all} places open` }),
  },
  /** The calendar owner's own entries. */
  own: {
    category: 'Personal',
    entry: (title: string) => `You: ${title}`,
    role: (role: string, title: string) => `You: ${role}, ${title}`,
    certificationExpires: 'a certification expires',
  },
  /** Ends the description of a single entry that people add to their own calendar. */
  copy: 'This copy will not be updated. Follow the calendar to stay up to date.',
  omitted: {
    title: (entries: number) => `${entries} more entries are not shown`,
    nearest: (entries: number) => `This calendar shows the ${entries} entries nearest to today.`,
    smaller:
      'The subscribe page has smaller calendars; past=DAYS and future=DAYS in the address of one choose other days.',
    ofOrganizations: 'Each organization also has its own calendar, which shows more entries.',
  },
  changes: {
    added: (entry: string) => `New: ${entry}`,
    back: (entry: string) => `Back on: ${entry}`,
    renamed: (title: string, before: string) => `${title} (formerly ${before})`,
    moved: (title: string, { now, before }: { now: string; before: string }) =>
      `Moved: ${title}, now ${now} (was ${before})`,
    newPlace: (entry: string, { now, before }: { now: string; before: string }) =>
      `New place: ${entry}, now ${now}${before === '' ? '' : ` (was ${before})`}`,
    placeRemoved: (entry: string, before: string) => `Place removed: ${entry} (was ${before})`,
    newTitle: (entry: string, before: string) => `New title: ${entry} (was ${before})`,
    placesBefore,
    placesAfter,
    dates: (title: string, dates: { count: number; first: string; last: string }) =>
      `${title}, ${dates.count} dates from ${dates.first} to ${dates.last}`,
    newPlaceOfAll: (events: number, { now, before }: { now: string; before: string }) =>
      `Location of ${events} events now ${now}${before === '' ? '' : ` (was ${before})`}`,
    placeOfAllRemoved: (events: number, before: string) =>
      `Location of ${events} events removed (was ${before})`,
    more: (entries: number) => `and ${entries} more`,
    entryNow: (entry: string) => `Now: ${entry}`,
    entryBefore: (entry: string) => `Before: ${entry}`,
  },
  /** Fields of the form on the page `/feeds`. */
  options: {
    past: {
      label: 'Past entries',
      byDefault: 'all',
      others: { 0: 'none', 30: '30 days', 365: 'a year' },
    },
    future: {
      label: 'Future entries',
      byDefault: 'all',
      others: { 14: '14 days', 90: '90 days', 365: 'a year' },
    },
    alarm: {
      label: 'Reminder',
      byDefault: 'none',
      others: {
        0: 'at the start',
        15: '15 minutes before',
        60: '1 hour before',
        120: '2 hours before',
        1440: '1 day before',
      },
    },
    secondAlarm: 'Remind again',
    dayAlarm: {
      label: 'Remind of all-day entries',
      byDefault: 'at 6 PM, if there are reminders',
      others: {
        '19:00': 'at 7 PM the day before',
        '21:00': 'at 9 PM the day before',
        '+07:00': 'at 7 AM',
        '+09:00': 'at 9 AM',
        none: 'never',
      },
    },
    cancelled: {
      label: 'Canceled entries',
      byDefault: 'disappear',
      others: { mark: 'stay for 14 days, marked as canceled' },
    },
    changes: {
      label: 'Changes',
      byDefault: 'are not mentioned',
      others: { note: 'are described in the entry for 3 days' },
    },
    busy: { label: 'Show me as', byDefault: 'app default', others: { 0: 'free', 1: 'busy' } },
    color: {
      label: 'Color',
      byDefault: 'app default',
      others: {
        b22222: 'red',
        d2691e: 'orange',
        '2e8b57': 'green',
        '4169e1': 'blue',
        '6a5acd': 'purple',
      },
    },
  },
}
