import type { MeetingMinutes } from '../resources/minutes.ts'
import { plusDays } from '../site-dates.ts'
import { monthsAround, nthWeekday } from './weeks.ts'

const monthsBack = 18

const categories = { 1: 'Business Meetings', 2: 'Officers', 3: 'Fundraising Committee' } as const

/** Returns the minutes of every past monthly business meeting and of some other meetings. */
export function sampleMinutes(today: string): readonly MeetingMinutes[] {
  return monthsAround(today, monthsBack, 0)
    .flatMap(minutesOfMonth)
    .filter(({ created }) => created.slice(0, 10) <= today)
}

function minutesOfMonth(monthStart: string): readonly MeetingMinutes[] {
  const [year = '', month = ''] = monthStart.split('-')
  const id = Number(`${year}${month}`) * 10
  const isQuarter = Number(month) % 3 === 0
  const business = minutesOf(id + 1, 1, nthWeekday(monthStart, 1, 4), {
    title: 'Monthly business meeting',
    text: '<p>Called to order at 7:30 PM. Reports of Chief, Treasurer and Trustees accepted.</p><ul><li>Hose order approved</li><li>Carnival dates set</li></ul>',
    status: 2,
    isPublic: true,
  })
  const officers = minutesOf(id + 2, 2, nthWeekday(monthStart, 2, 3), {
    title: 'Officers’ meeting',
    text: 'Apparatus, training plan, response times.',
    status: isQuarter ? 0 : 2,
    isPublic: false,
  })
  const fundraising = minutesOf(id + 3, 3, nthWeekday(monthStart, 3, 2), {
    title: 'Fundraising committee',
    text: 'Boot drive & calendar sale.',
    status: 1,
    isPublic: false,
  })
  return isQuarter ? [business, officers, fundraising] : [business, officers]
}

function minutesOf(
  id: number,
  categoryId: keyof typeof categories,
  meetingDate: string,
  draft: Pick<MeetingMinutes, 'title' | 'text' | 'status'> & { readonly isPublic: boolean },
): MeetingMinutes {
  const { title, text, status, isPublic } = draft
  const isChanged = id % 4 === 1
  const fileName = `minutes-${meetingDate}.pdf`
  return {
    id,
    meetingDate,
    title,
    text,
    status,
    public: isPublic ? 1 : 0,
    categoryId,
    category: categories[categoryId],
    created: `${plusDays(meetingDate, 2)} 20:15:00`,
    createdBy: 'Robin Vale',
    modified: isChanged ? `${plusDays(meetingDate, 5)} 07:50:00` : '',
    modifiedBy: isChanged ? 'Alex Brennan' : '',
    files: categoryId === 1 ? [{ id, fileName, extension: 'pdf', fileSize: 48_213 }] : [],
  }
}
