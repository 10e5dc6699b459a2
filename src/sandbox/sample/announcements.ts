import type { Announcement } from '../resources/announce.ts'
import { plusDays } from '../site-dates.ts'
import { pick, weeksAround, type Week } from './weeks.ts'

const weeksBack = 12

type Draft = Pick<Announcement, 'headline' | 'text'> & {
  /** Number of days until the announcement expires, or undefined if it never expires. */
  readonly shownDays: number | undefined
}

const drafts: readonly [Draft, ...Draft[]] = [
  {
    headline: 'Burn ban in effect',
    text: '<p>No open burning in the district until further notice. <b>Fines apply.</b></p>',
    shownDays: 24,
  },
  {
    headline: 'Hydrant flushing this week',
    text: 'Water may look rusty for a few hours.\nRun the cold tap until it is clear.',
    shownDays: 9,
  },
  {
    headline: 'Help wanted: bingo night',
    text: 'We need six people in the kitchen & four on the floor.',
    shownDays: 13,
  },
  {
    headline: 'Keep hydrants clear',
    text: 'Three feet on every side, please.',
    shownDays: undefined,
  },
  {
    headline: 'Boot drive was a success',
    text: '<p>Thank you, Cedar Hollow! We counted <i>$4,210</i>.</p>',
    shownDays: 16,
  },
  { headline: 'New parking plan', text: 'Bays 1–4 stay free for responders.', shownDays: 30 },
]

/** Some announcements are drafts or were taken offline. */
const statuses = [2, 2, 0, 2, 2, 1] as const

/** Returns one announcement per week. */
export function sampleAnnouncements(today: string): readonly Announcement[] {
  return weeksAround(today, weeksBack, 0).map(announcementOfWeek)
}

function announcementOfWeek({ number, monday }: Week): Announcement {
  const { shownDays, ...draft } = pick(drafts, number)
  const isChanged = number % 4 === 0
  return {
    id: number,
    ...draft,
    status: pick(statuses, number),
    expires: shownDays === undefined ? '' : `${plusDays(monday, shownDays)} 18:00:00`,
    created: `${plusDays(monday, -1)} 09:00:00`,
    createdBy: 'Robin Vale',
    modified: isChanged ? `${plusDays(monday, -1)} 21:10:00` : '',
    modifiedBy: isChanged ? 'Jordan Reyes' : '',
  }
}
