import type { CalendarEvent } from '../resources/calendar.ts'
import { plusDays } from '../site-dates.ts'
import { historyBefore } from './history.ts'
import { monthsAround, nthWeekday, pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 26
const weeksAhead = 40
const monthsBack = 6
const monthsAhead = 9

const calendars = { 1: 'Training', 2: 'Apparatus', 3: 'Duty Crews', 4: 'Administration' } as const

type Drill = readonly [topic: string, text: string]

const drills: readonly [Drill, ...Drill[]] = [
  ['Hose advancement', 'Bring full turnout gear.\nMeet in the rear bay.'],
  ['SCBA confidence course', 'Face piece fit check first; glasses wearers see Lt. Marsh.'],
  ['Ground ladders', '24- and 35-foot ladders, raises & carries.'],
  [
    'Vehicle extrication',
    '<p>Two cars at the training ground:</p><ul><li>stabilisation</li><li>door &amp; roof removal</li></ul>',
  ],
  ['Pump operations', 'Drafting at Miller Pond, weather permitting.'],
  ['EMS refresher', 'CPR and bleeding control; cards are renewed.'],
]

const crews = ['A', 'B', 'C', 'D'] as const

/** Default values for events in the sample. */
const plain = {
  status: 2,
  location: 'Station 1, 12 Mill Road',
  contact: '',
  text: '',
  allDay: 0,
  startTime: '',
  endTime: '',
} as const

export function sampleCalendarEvents(today: string): readonly CalendarEvent[] {
  return [
    ...weeksAround(today, weeksBack, weeksAhead).flatMap(eventsOfWeek),
    ...monthsAround(today, monthsBack, monthsAhead).map(businessMeeting),
  ]
}

function eventsOfWeek(week: Week): readonly CalendarEvent[] {
  return [drill(week), truckCheck(week), dutyWeekend(week), nightStandby(week)]
}

function drill({ number, monday }: Week): CalendarEvent {
  const date = plusDays(monday, 1)
  const [topic, text] = pick(drills, number)
  return {
    ...plain,
    id: number * 10 + 1,
    ...calendar(1),
    title: `Drill: ${topic}`,
    // Some drills are still being planned or were taken offline.
    status: number % 13 === 0 ? 0 : number % 17 === 0 ? 1 : 2,
    ...onDay(date),
    startTime: '19:00:00',
    endTime: '21:30:00',
    contact: 'Training Officer Dana Marsh, 555-0142',
    text,
    ...historyBefore(date, 'Dana Marsh', number % 4 === 0),
  }
}

function truckCheck({ number, monday }: Week): CalendarEvent {
  return {
    ...plain,
    id: number * 10 + 2,
    ...calendar(2),
    title: number % 2 === 0 ? 'Truck check: Engine 1, Tanker 4' : 'Truck check: Rescue 2, Brush 5',
    ...onDay(monday),
    startTime: '18:30:00',
    endTime: '19:30:00',
    ...historyBefore(monday, 'Pat Okafor', false),
  }
}

function dutyWeekend({ number, monday }: Week): CalendarEvent {
  const saturday = plusDays(monday, 5)
  return {
    ...plain,
    id: number * 10 + 3,
    ...calendar(3),
    title: `Duty weekend: Crew ${pick(crews, number)}`,
    startDate: saturday,
    endDate: plusDays(saturday, 1),
    allDay: 1,
    location: '',
    ...historyBefore(saturday, 'Pat Okafor', false),
  }
}

/** Returns an event from Saturday night to Sunday, when daylight saving time may start or end. */
function nightStandby({ number, monday }: Week): CalendarEvent {
  const saturday = plusDays(monday, 5)
  return {
    ...plain,
    id: number * 10 + 4,
    ...calendar(3),
    title: `Night standby: Crew ${pick(crews, number + 1)}`,
    startDate: saturday,
    endDate: plusDays(saturday, 1),
    startTime: '22:00:00',
    endTime: '06:00:00',
    ...historyBefore(saturday, 'Pat Okafor', false),
  }
}

/** Returns an event without an end. */
function businessMeeting(monthStart: string): CalendarEvent {
  const date = nthWeekday(monthStart, 1, 4)
  const [year = '', month = ''] = date.split('-')
  return {
    ...plain,
    id: Number(`${year}${month}`) * 10 + 5,
    ...calendar(4),
    title: 'Monthly business meeting',
    ...onDay(date),
    startTime: '19:30:00',
    contact: 'Secretary Robin Vale, 555-0117',
    text: 'Reports, bills, communications. Minutes of the last meeting are in the Members Area.',
    ...historyBefore(date, 'Robin Vale', true),
  }
}

function calendar(calendarId: keyof typeof calendars) {
  return { calendarId, calendar: calendars[calendarId] }
}

function onDay(date: string) {
  return { startDate: date, endDate: date }
}
