import { ApiError } from './api-error.ts'
import { assertOrder, type Parameters } from './parameters.ts'
import type { SampleSite } from './sample/sample-site.ts'
import { plusDays } from './site-dates.ts'

const calendarWindowDays = 30

type Selection = {
  readonly items: readonly { readonly id: number }[]
  /** Top-level properties beside the common envelope. */
  readonly extra?: Readonly<Record<string, unknown>>
}

export type Moment = {
  /** Site date, `yyyy-mm-dd`. */
  readonly today: string
  /** Site time, `yyyy-mm-dd HH:mm:ss`. */
  readonly now: string
}

/** One data endpoint: which records a query selects. Everything else is common to all. */
export type Endpoint = (site: SampleSite, parameters: Parameters, moment: Moment) => Selection

type Period = { readonly start: string | undefined; readonly end: string | undefined }

export const endpoints: Readonly<Record<string, Endpoint>> = { announce, calendar, events, news }

function announce(site: SampleSite, parameters: Parameters, { now }: Moment): Selection {
  const id = parameters.number('ID')
  const all = parameters.flag('All')
  const period = parameters.period()
  if (id !== undefined) return single(site.announcements, id)
  return {
    items: site.announcements.filter(
      ({ expires, created }) =>
        (all || expires === '' || expires > now) && isDuring(period, created.slice(0, 10)),
    ),
  }
}

/** The window is shown as applied: with `All` there is none, and both dates are empty. */
function calendar(site: SampleSite, parameters: Parameters, { today }: Moment): Selection {
  const id = parameters.number('ID')
  const calendarId = parameters.number('CalendarID')
  const all = parameters.flag('All')
  const given = parameters.period()
  const start = given.start ?? today
  const end = given.end ?? plusDays(today, calendarWindowDays)
  const window = all ? { startDate: '', endDate: '' } : { startDate: start, endDate: end }
  if (id !== undefined) return { ...single(site.calendarEvents, id), extra: window }
  if (!all) assertOrder(start, end)
  const items = site.calendarEvents.filter(
    (event) =>
      (calendarId === undefined || event.calendarId === calendarId) &&
      (all || overlaps({ start, end }, event)),
  )
  return { items, extra: window }
}

function events(site: SampleSite, parameters: Parameters, { today }: Moment): Selection {
  const id = parameters.number('ID')
  const all = parameters.flag('All')
  const given = parameters.period()
  if (id !== undefined) return single(site.publicEvents, id)
  const hasRange = given.start !== undefined || given.end !== undefined
  const period = hasRange ? given : { start: today, end: undefined }
  return { items: site.publicEvents.filter((event) => all || overlaps(period, event)) }
}

function news(site: SampleSite, parameters: Parameters): Selection {
  const id = parameters.number('ID')
  const categoryId = parameters.number('CategoryID')
  const period = parameters.period()
  if (id !== undefined) return single(site.newsStories, id)
  return {
    items: site.newsStories.filter(
      (story) =>
        (categoryId === undefined || story.categoryId === categoryId) &&
        isDuring(period, story.date.slice(0, 10)),
    ),
  }
}

function single(records: readonly { readonly id: number }[], id: number): Selection {
  const record = records.find((candidate) => candidate.id === id)
  if (!record) throw new ApiError('not_found')
  return { items: [record] }
}

function isDuring({ start, end }: Period, date: string): boolean {
  return (start === undefined || date >= start) && (end === undefined || date <= end)
}

function overlaps(
  { start, end }: Period,
  event: { readonly startDate: string; readonly endDate: string },
): boolean {
  return (
    (start === undefined || event.endDate >= start) && (end === undefined || event.startDate <= end)
  )
}
