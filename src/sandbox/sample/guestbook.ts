import type { GuestbookEntry } from '../resources/guestbook.ts'
import { plusDays } from '../site-dates.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 40

type Draft = Omit<GuestbookEntry, 'id' | 'created' | 'status'>

const drafts: readonly [Draft, ...Draft[]] = [
  {
    name: 'Marisol Quint',
    email: 'marisol@foxrun.example',
    rank: 'Captain',
    location: 'Fox Run, NY',
    website: 'https://foxrun.example',
    text: 'Great site, and thanks for the mutual aid on Saturday. Stay safe!',
  },
  {
    name: 'A grateful neighbor',
    email: '',
    rank: '',
    location: 'Cedar Hollow',
    website: '',
    text: 'You found our cat. And put out the stove. In that order.',
  },
  {
    name: 'Gordon Teale',
    email: 'gteale@example.org',
    rank: 'Retired Chief',
    location: 'Port Larch, PA',
    website: '',
    text: 'Visited the museum corner: that 1947 pumper is <3',
  },
]

/** Returns one entry every other week. */
export function sampleGuestbook(today: string): readonly GuestbookEntry[] {
  return weeksAround(today, weeksBack, -1)
    .filter(({ number }) => number % 2 === 0)
    .map(entryOfWeek)
}

function entryOfWeek({ number, monday }: Week): GuestbookEntry {
  return {
    id: number,
    created: `${plusDays(monday, 4)} 22:03:17`,
    // Some entries are waiting for review, and some are never approved.
    status: number % 10 === 0 ? 0 : number % 14 === 0 ? 1 : 2,
    ...pick(drafts, number / 2),
  }
}
