import { withText, type Feed, type ListedEntry } from '../../feeds/feed.ts'
import { soonestFirst, spanInWords } from '../../records/date-words.ts'
import { daysAfter } from '../../records/site-time.ts'
import { isShift } from '../../signage/duty.ts'
import { entriesFor } from '../../web/calendar-entries.ts'
import type { PageRequest } from '../../web/page-handler.ts'
import { takeTurn } from '../../web/turns.ts'

const rosterDays = 28

/** Dates are written as if it were this many days ago, so that none is near. */
const longAgo = 60

/** Each sheet takes a few milliseconds. */
const maxSheets = 50

const maxShifts = 300

export const isForVolunteers = ({ boardRole }: Feed) => boardRole === 'volunteers'

/** Shows the shifts and sign-up sheets of the next weeks on one printable page. */
export async function showRoster(page: PageRequest): Promise<string | undefined> {
  const { context, viewer, offered, request, today, render } = page
  const { site, itemPages } = context
  const to = daysAfter(today, rosterDays - 1)
  const found = await entriesFor(page, { from: today, to })
  if (!found) return undefined
  const inOrder = soonestFirst(found.entries, today, ({ time }) => time)
  const active = inOrder.filter(({ isCanceled }) => isCanceled !== true)
  const feed = offered.find(isForVolunteers)
  // A printed page must not say `Tomorrow`.
  const when = (time: ListedEntry['time']) =>
    spanInWords(time, daysAfter(today, -longAgo), site.language)
  const ofFeed = active.flatMap((entry) => (entry.kind === feed?.id ? [{ ...entry, feed }] : []))
  const sheets = []
  for (const { feed, kind, recordId, title, time, places } of ofFeed.slice(0, maxSheets)) {
    await takeTurn(request)
    const path = `${kind}/${recordId}`
    const about = { id: recordId, url: `${viewer.base}/${path}` }
    const read = await itemPages.read(feed, about, viewer.profile)
    sheets.push({ path, title, when: when(time), places, sheet: read?.event?.sheet })
  }
  const shifts = active.filter(({ title, category, time }) => isShift({ title, category, ...time }))
  return render('agenda/roster', {
    from: today,
    to,
    shifts: shifts.slice(0, maxShifts).map((entry) => ({ ...entry, when: when(entry.time) })),
    moreShifts: shifts.length - maxShifts,
    sheets,
    sheetsFeed: feed?.id,
    moreSheets: ofFeed.length - sheets.length,
    signUps: feed && withText(feed, site.language).title,
  })
}
