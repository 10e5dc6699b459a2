import type { PublicEvent } from '../resources/events.ts'
import { plusDays } from '../site-dates.ts'
import { historyBefore, type History } from './history.ts'
import { monthsAround, nthWeekday } from './weeks.ts'

const monthsBack = 6
const monthsAhead = 9

type Draft = Omit<PublicEvent, keyof History | 'id' | 'status' | 'endDate'> &
  Partial<Pick<PublicEvent, 'status' | 'endDate'>>

/**
 * Functions that return an event in a month, given the first day of the month. A function's index
 * is part of its events' ids.
 */
const plans: readonly ((monthStart: string) => Draft | undefined)[] = [
  (monthStart) => ({
    title: 'Pancake breakfast',
    location: 'Station 1, 12 Mill Road, Cedar Hollow',
    contact: 'Auxiliary, 555-0160',
    text: '<p>All you can eat, with sausage &amp; real maple syrup.<br>Adults $10, children under 10 <b>free</b>.</p>',
    startDate: nthWeekday(monthStart, 2, 7),
    allDay: 0,
    startTime: '08:00:00',
    endTime: '11:30:00',
  }),
  (monthStart) => ({
    title: 'Friday fish fry',
    location: 'Social Hall, 14 Mill Road, Cedar Hollow',
    contact: '',
    text: 'Eat in or take out.\nUntil sold out; come early.',
    startDate: nthWeekday(monthStart, 1, 5),
    allDay: 0,
    startTime: '17:00:00',
    endTime: '20:00:00',
  }),
  (monthStart) => ({
    title: 'Free smoke alarm day',
    location: '',
    contact: 'Fire Prevention, 555-0133',
    text: 'We install alarms in homes all over the district. Call to be put on the list.',
    startDate: nthWeekday(monthStart, 3, 6),
    allDay: 1,
    startTime: '',
    endTime: '',
  }),
  (monthStart) => ({
    title: 'Hands-only CPR class',
    location: 'Training room; use the side door, please',
    contact: 'Sam Lindqvist, 555-0175',
    text: 'No end time: we stay until everyone had a turn.',
    startDate: nthWeekday(monthStart, 4, 6),
    allDay: 0,
    startTime: '10:00:00',
    endTime: '',
  }),
  (monthStart) =>
    monthStart.slice(5, 7) === '07'
      ? {
          title: 'Summer carnival',
          location: 'Carnival grounds, County Route 9',
          contact: '',
          text: 'Rides, food, music & fireworks on Saturday night.',
          startDate: nthWeekday(monthStart, 3, 4),
          endDate: plusDays(nthWeekday(monthStart, 3, 4), 2),
          allDay: 1,
          startTime: '',
          endTime: '',
        }
      : undefined,
  (monthStart) =>
    monthStart.slice(5, 7) === '12'
      ? {
          title: 'New Year’s Eve bonfire',
          location: 'Behind Station 1',
          contact: '',
          text: 'Into the new year with hot cider. ☕',
          startDate: plusDays(monthStart, 30),
          endDate: plusDays(monthStart, 31),
          allDay: 0,
          startTime: '21:00:00',
          endTime: '01:00:00',
        }
      : undefined,
  (monthStart) => ({
    title: 'Chicken barbecue (being planned)',
    status: 0,
    location: '',
    contact: '',
    text: '',
    startDate: nthWeekday(monthStart, 3, 7),
    allDay: 1,
    startTime: '',
    endTime: '',
  }),
  (monthStart) => ({
    title: 'Coin drop (withdrawn)',
    status: 1,
    location: 'Main Street',
    contact: '',
    text: '',
    startDate: nthWeekday(monthStart, 2, 6),
    allDay: 0,
    startTime: '09:00:00',
    endTime: '12:00:00',
  }),
]

export function samplePublicEvents(today: string): readonly PublicEvent[] {
  return monthsAround(today, monthsBack, monthsAhead).flatMap((monthStart) =>
    plans.flatMap((plan, index) => {
      const draft = plan(monthStart)
      return draft ? [eventFrom(draft, monthStart, index)] : []
    }),
  )
}

function eventFrom(draft: Draft, monthStart: string, index: number): PublicEvent {
  const [year = '', month = ''] = monthStart.split('-')
  return {
    id: Number(`${year}${month}`) * 10 + index,
    status: 2,
    endDate: draft.startDate,
    ...draft,
    ...historyBefore(draft.startDate, 'Jordan Reyes', index % 3 === 0),
  }
}
