import { plusDays } from '../site-dates.ts'
import type { History } from './history.ts'

export type Announcement = History & {
  readonly id: number
  readonly headline: string
  readonly text: string
  /** 0 = Pending, 1 = Offline, 2 = Online. */
  readonly status: number
  /** `yyyy-mm-dd HH:mm:ss`, or empty for one that never expires. */
  readonly expires: string
}

type Draft = Pick<Announcement, 'headline' | 'text' | 'status'> & {
  /** Days from today; negative is over. */
  readonly expiresIn: number | undefined
  readonly age: number
}

const drafts: readonly Draft[] = [
  {
    headline: 'Burn ban in effect',
    text: '<p>No open burning in the district until further notice. <b>Fines apply.</b></p>',
    status: 2,
    expiresIn: 20,
    age: 3,
  },
  {
    headline: 'Hydrant flushing this week',
    text: 'Water may look rusty for a few hours.\nRun the cold tap until it is clear.',
    status: 2,
    expiresIn: 5,
    age: 2,
  },
  {
    headline: 'Help wanted: bingo night',
    text: 'We need six people in the kitchen & four on the floor.',
    status: 0,
    expiresIn: 12,
    age: 1,
  },
  {
    headline: 'Keep hydrants clear',
    text: 'Three feet on every side, please.',
    status: 2,
    expiresIn: undefined,
    age: 90,
  },
  {
    headline: 'Boot drive was a success',
    text: '<p>Thank you, Cedar Hollow!</p>',
    status: 2,
    expiresIn: -10,
    age: 40,
  },
  {
    headline: 'Old parking rules',
    text: 'Replaced by the new plan.',
    status: 1,
    expiresIn: 30,
    age: 60,
  },
]

export function sampleAnnouncements(today: string): readonly Announcement[] {
  return drafts.map(({ expiresIn, age, ...draft }, index) => ({
    id: index + 1,
    ...draft,
    expires: expiresIn === undefined ? '' : `${plusDays(today, expiresIn)} 18:00:00`,
    created: `${plusDays(today, -age)} 09:00:00`,
    createdBy: 'Robin Vale',
    modified: '',
    modifiedBy: '',
  }))
}
