import type { SignUpSheet } from '../resources/signup.ts'
import { plusDays } from '../site-dates.ts'
import { historyBefore } from './history.ts'
import { memberNames } from './members.ts'
import { monthsAround, nthWeekday, weeksAround, type Week } from './weeks.ts'

const monthsBack = 3
const monthsAhead = 3
const weeksBack = 6
const weeksAhead = 8
/** Number of days from sign-up to event, large enough that all sign-ups are in the past. */
const signedUpDaysBefore = 130

type Position = readonly [position: string, number: number]
type Group = readonly [name: string, positions: readonly Position[]]

type Draft = Pick<SignUpSheet, 'id' | 'title' | 'date' | 'eventDate' | 'contact'> &
  Partial<Pick<SignUpSheet, 'status'>> & { readonly groups: readonly Group[] }

/** Returns sheets for breakfast crews, weekend standby crews, and one outing per quarter. */
export function sampleSignUpSheets(today: string): readonly SignUpSheet[] {
  return [
    ...monthsAround(today, monthsBack, monthsAhead).flatMap(sheetsOfMonth),
    ...weeksAround(today, weeksBack, weeksAhead).flatMap(sheetsOfWeek),
  ].map(sheetFrom)
}

function sheetsOfMonth(monthStart: string): readonly Draft[] {
  const [year = '', month = ''] = monthStart.split('-')
  const id = Number(`${year}${month}`) * 10
  const breakfast: Draft = {
    id: id + 1,
    title: 'Pancake breakfast crew',
    date: nthWeekday(monthStart, 2, 7),
    eventDate: 'Sunday, 6:30 AM to noon',
    contact: 'Frances Ellery, 555-0123',
    groups: [
      [
        'Kitchen',
        [
          ['Griddle', 2],
          ['Sausage & eggs', 2],
          ['Dishes', 3],
        ],
      ],
      [
        'Hall',
        [
          ['Tickets', 1],
          ['Servers', 4],
        ],
      ],
    ],
  }
  const outing: Draft = {
    id: id + 2,
    title: 'Museum trip',
    date: nthWeekday(monthStart, 4, 6),
    eventDate: 'to be announced',
    contact: '',
    status: 0,
    groups: [['Seats on the bus', [['Member or guest', 24]]]],
  }
  return Number(month) % 3 === 0 ? [breakfast, outing] : [breakfast]
}

function sheetsOfWeek({ number, monday }: Week): readonly Draft[] {
  if (number % 3 !== 0) return []
  const saturday = plusDays(monday, 5)
  return [
    {
      id: number,
      title: 'Weekend standby crew',
      date: saturday,
      eventDate: '22:00',
      contact: 'Capt. Pat Okafor',
      // Some sheets are canceled.
      status: number % 4 === 0 ? 1 : 2,
      groups: [
        [
          'Engine 1',
          [
            ['Officer', 1],
            ['Driver', 1],
            ['Firefighter', 3],
          ],
        ],
        [
          'Ambulance 7',
          [
            ['Driver', 1],
            ['EMT', 1],
          ],
        ],
      ],
    },
  ]
}

function sheetFrom({ groups, ...draft }: Draft): SignUpSheet {
  return {
    status: 2,
    ...draft,
    groups: groups.map(([name, positions], groupIndex) => ({
      id: draft.id * 10 + groupIndex,
      name,
      slots: positions.map(([position, number], slotIndex) => {
        const id = (draft.id * 10 + groupIndex) * 10 + slotIndex
        return { id, number, position, signedUp: signedUpFor(id, number, draft.date) }
      }),
    })),
    ...historyBefore(draft.date, 'Frances Ellery', draft.id % 2 === 0),
  }
}

/** Returns the sign-ups for a slot, which can be empty, partly filled or full. */
function signedUpFor(slotId: number, number: number, date: string) {
  return Array.from({ length: slotId % (number + 1) }, (_, index) => ({
    name: memberNames.get(((slotId + index * 5) % memberNames.size) + 1) ?? '',
    note: (slotId + index) % 4 === 0 ? 'until ten only' : '',
    date: `${plusDays(date, -signedUpDaysBefore - index)} 12:0${index % 10}:00`,
  }))
}
