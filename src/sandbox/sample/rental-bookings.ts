import type { RentalBooking } from '../resources/rental.ts'
import { plusDays } from '../site-dates.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 26
const weeksAhead = 30

const types = { 1: 'Social Hall', 2: 'Pavilion', 3: 'Training Room' } as const

type Draft = {
  readonly typeId: keyof typeof types
  /** Number of days after the week's Monday. */
  readonly from: number
  readonly to: number
  /** Start and end times. Undefined means that the booking is all-day. */
  readonly times?: readonly [start: string, end: string]
  readonly renter: string
  readonly renterPhone: string
  readonly details: string
}

const drafts: readonly [Draft, ...Draft[]] = [
  {
    typeId: 1,
    from: 5,
    to: 5,
    times: ['13:00:00', '17:00:00'],
    renter: 'Harriet Bloom',
    renterPhone: '555-0181',
    details: 'Birthday party, 60 guests; deposit paid',
  },
  {
    typeId: 1,
    from: 5,
    to: 6,
    times: ['18:00:00', '01:00:00'],
    renter: 'Desmond & Ines Kale',
    renterPhone: '555-0182',
    details: 'Wedding reception <b>with band</b>',
  },
  {
    typeId: 2,
    from: 6,
    to: 6,
    renter: 'Little League',
    renterPhone: '555-0183',
    details: 'Season picnic',
  },
  {
    typeId: 3,
    from: 2,
    to: 2,
    times: ['19:00:00', '20:30:00'],
    renter: 'Cedar Hollow Garden Club',
    renterPhone: '',
    details: '',
  },
  {
    typeId: 1,
    from: 4,
    to: 6,
    renter: 'County Model Railroaders',
    renterPhone: '555-0185',
    details: 'Show: set-up Friday, open Saturday and Sunday',
  },
]

/** Returns one or two bookings per week. */
export function sampleRentalBookings(today: string): readonly RentalBooking[] {
  return weeksAround(today, weeksBack, weeksAhead).flatMap((week) =>
    week.number % 4 === 0
      ? [bookingOf(week, week.number, 1), bookingOf(week, week.number + 2, 2)]
      : [bookingOf(week, week.number, 1)],
  )
}

function bookingOf({ number, monday }: Week, choice: number, place: number): RentalBooking {
  const { typeId, from, to, times, renter, renterPhone, details } = pick(drafts, choice)
  return {
    id: number * 10 + place,
    typeId,
    type: types[typeId],
    startDate: plusDays(monday, from),
    endDate: plusDays(monday, to),
    allDay: times ? 0 : 1,
    startTime: times?.[0] ?? '',
    endTime: times?.[1] ?? '',
    renter,
    renterPhone,
    details,
  }
}
