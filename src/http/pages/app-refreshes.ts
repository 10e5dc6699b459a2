import { DateTime } from 'luxon'
import { fetchScheduleFrom, type FetchSchedule } from '../../links/fetch-schedule.ts'
import type { AppFetches } from '../../links/link-use.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** What a page shows about one kind of app that uses a link. */
export type AppRefresh = Pick<FetchSchedule, 'app' | 'name' | 'state' | 'steps'> & {
  /** Sentence about the latest refresh. */
  readonly last: string
  /** Sentence about the next refresh; empty for programs without a schedule. */
  readonly next: string
  /** Sentence about the interval; empty for programs without a schedule. */
  readonly habit: string
}

/** Describes in words when apps refreshed a link, in the site's time zone, latest app first. */
export function appRefreshesFrom(
  fetches: readonly AppFetches[],
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): readonly AppRefresh[] {
  const inZone = (instant: number) => DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' })
  const day = (instant: number) =>
    inZone(instant).toFormat(inZone(instant).year === inZone(now).year ? 'LLLL d' : 'LLLL d, yyyy')
  const hour = (instant: number) => inZone(instant).toFormat('h:mm a')
  const time = (instant: number) => `${day(instant)}, ${hour(instant)}`
  const span = (from: number, to: number) =>
    `${time(from)} and ${day(from) === day(to) ? hour(to) : time(to)}`
  return fetches.map((each) => {
    const schedule = fetchScheduleFrom(each, now)
    const { app, name, state, steps, often, observedMs, lastAt } = schedule
    return {
      app,
      name,
      state,
      steps,
      last: `Last ${schedule.due ? 'refreshed' : 'used'} ${time(lastAt)}.`,
      next: nextSentence(schedule, now, { time, span }),
      habit:
        observedMs !== undefined
          ? `It usually refreshes about every ${durationInWords(observedMs)}.`
          : often && `It refreshes ${often}.`,
    }
  })
}

type InWords = {
  readonly time: (instant: number) => string
  /** Two times after "between", with their day only once if it is the same. */
  readonly span: (from: number, to: number) => string
}

function nextSentence({ state, due }: FetchSchedule, now: number, { time, span }: InWords): string {
  if (!due) return ''
  const by = time(due.by)
  switch (state) {
    case 'late':
      return `The next refresh was expected by ${by}, so it is late.`
    case 'stopped':
      return 'It has stopped refreshing, probably because the subscription was removed from the app.'
    default:
      if (now > due.by)
        return `The next refresh was expected by ${by}; such a delay is still normal.`
      if (due.from === due.by) return `Next refresh expected around ${by}.`
      if (now > due.from) return `Next refresh expected by ${by}.`
      return `Next refresh expected between ${span(due.from, due.by)}.`
  }
}

function durationInWords(ms: number): string {
  if (ms < 1.5 * hourMs) return counted(Math.round(ms / minuteMs), 'minute')
  if (ms < 1.5 * dayMs) return counted(Math.round(ms / hourMs), 'hour')
  return counted(Math.round(ms / dayMs), 'day')
}

function counted(count: number, unit: string): string {
  return count === 1 ? unit : `${count} ${unit}s`
}
