import type { ListedEntry } from '../feeds/feed.ts'
import { bySoonest, isLong, isOnDay } from '../records/date-words.ts'
import { firstWeekday, weekdaysIn } from '../records/language.ts'
import { weeksOf, type GridDay, type SiteMonth } from '../records/site-month.ts'

const maxLanes = 4

/**
 * Returns the weeks of a month with the entries of each day, and the entries that last for weeks. An entry
 * on several days of a week is a bar, which has the same position on each day.
 */
export function monthGrid(
  entries: readonly ListedEntry[],
  month: SiteMonth,
  { language }: { readonly language: string },
) {
  const inOrder = entries.toSorted((a, b) => bySoonest(`${month}-01`)(a.time, b.time))
  const daily = inOrder.filter(({ time }) => !isLong(time))
  const first = firstWeekday(language)
  return {
    weekdays: weekdaysIn(language),
    weeks: weeksOf(month, first).map((week) => {
      const lanes = lanesOf(week, daily)
      const barred = new Set(lanes.flat().map((bar) => bar?.entry))
      return week.map((day, index) => {
        if (day === undefined) return undefined
        const entries = daily.filter(({ time }) => isOnDay(time, day))
        const others = entries.filter((entry) => !barred.has(entry))
        return { day, bars: barsOn(lanes, index), entries: others }
      })
    }),
    running: inOrder.filter(({ time }) => isLong(time)),
  }
}

/** Part of a bar on one day. `days` is the length of a bar that starts here, and otherwise 0. */
type Bar = { readonly entry: ListedEntry; readonly days: number }

function lanesOf(week: readonly GridDay[], entries: readonly ListedEntry[]) {
  const lanes: (Bar | undefined)[][] = []
  for (const entry of entries) {
    const on = week.flatMap((day, index) => (day && isOnDay(entry.time, day) ? [index] : []))
    const isFree = (lane: readonly (Bar | undefined)[]) => on.every((index) => !lane[index])
    const lane = lanes.find(isFree) ?? []
    if (on.length < 2 || (!lanes.includes(lane) && lanes.length === maxLanes)) continue
    if (!lanes.includes(lane)) lanes.push(lane)
    for (const [part, index] of on.entries()) lane[index] = { entry, days: part ? 0 : on.length }
  }
  return lanes
}

/** Returns the bars on a day, with gaps above other bars. */
function barsOn(lanes: readonly (readonly (Bar | undefined)[])[], index: number) {
  const bars = lanes.map((lane) => lane[index])
  return bars.slice(0, bars.findLastIndex((bar) => bar !== undefined) + 1)
}
