import type { ListedEntry } from '../feeds/feed.ts'
import { firstDayOf, isLong, isOnDay, isWithin, soonestFirst } from '../records/date-words.ts'
import { firstWeekday, weekdaysIn } from '../records/language.ts'
import { fullWeeksOf, lastDayIn, type GridDay, type SiteMonth } from '../records/site-month.ts'

const maxLanes = 4

/** Height of a day's cell on paper, in lines, by the number of weeks that share the page. */
const printedHeight = new Map([
  [4, 11.3],
  [5, 8.9],
  [6, 7.1],
])

/** Heights on paper, in lines, of a bar, an entry with its gap, a gap, and the number of hidden entries. */
const [barHeight, entryHeight, gapHeight, restHeight] = [1.25, 1.12, 0.12, 0.75]

/** Characters that fit on a line of a cell in any font, and that a time and open places take up. */
const [lineLength, clockLength, placesLength] = [15, 6, 10]

const maxPrintedLines = 3

/** A month with more entries than this, counted once per day, shows only the first ones on each day. */
const maxShown = 400
const maxOfFullDay = 8

/** Maximum number of entries that last for weeks, which are below the month. */
const maxRunning = 100

/**
 * Returns the weeks of a month with the entries of each day, and the entries that last for weeks. An entry
 * on several days of a week is a bar, which has the same position on each day. `rest` is the number of
 * entries that are not shown, which a static host does not have.
 */
export function monthGrid(
  entries: readonly ListedEntry[],
  month: SiteMonth,
  { language, isStatic = false }: { readonly language: string; readonly isStatic?: boolean },
) {
  const inOrder = soonestFirst(entries, `${month}-01`, ({ time }) => time)
  const daily = inOrder.filter(({ time }) => !isLong(time))
  const weeks = fullWeeksOf(month, firstWeekday(language)).map((week) => daysOf(week, daily))
  const running = inOrder.filter(({ time }) => isLong(time) && firstDayOf(time) <= lastDayIn(month))
  const all = weeks.flat().flatMap((each) => each?.others ?? [])
  const isFull = !isStatic && all.length > maxShown
  const shared = sharedStarts(daily)
  const startOf = (title: string) => {
    const start = startIn(title)
    return shared.has(start) ? start : ''
  }
  return {
    weekdays: weekdaysIn(language),
    weeks: weeks.map((week) =>
      week.map((each) => {
        if (each === undefined) return undefined
        const { day, bars, others } = each
        const height = (printedHeight.get(weeks.length) ?? 0) - bars.length * barHeight
        const lines = printedLines(others, height)
        const shown = isFull ? others.slice(0, maxOfFullDay) : others
        const cells = shown.map((entry, at) => ({
          entry,
          start: startOf(entry.title),
          lines: lines[at] ?? 0,
        }))
        const printed = cells.filter((cell) => cell.lines > 0)
        return {
          day,
          isNext: day > lastDayIn(month),
          bars,
          entries: cells,
          rest: others.length - shown.length,
          unprinted: others.length - printed.length,
        }
      }),
    ),
    running: isStatic ? running : running.slice(0, maxRunning),
    rest: isStatic ? 0 : Math.max(0, running.length - maxRunning),
  }
}

/** Returns the days of a week with their bars and their other entries. */
function daysOf(week: readonly GridDay[], daily: readonly ListedEntry[]) {
  const days = week.filter((day) => day !== undefined)
  const range = { from: days[0], to: days.at(-1) }
  const weekly = daily.filter(({ time }) => isWithin(time, range))
  const lanes = lanesOf(week, weekly)
  const barred = new Set(lanes.flat().map((bar) => bar?.entry))
  const rest = weekly.filter((entry) => !barred.has(entry))
  return week.map((day, index) => {
    if (day === undefined) return undefined
    const others = rest.filter(({ time }) => isOnDay(time, day))
    return { day, bars: barsOn(lanes, index), others }
  })
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

/** Returns prefixes with a colon that several titles share, such as `Duty weekend: `. */
function sharedStarts(entries: readonly ListedEntry[]): ReadonlySet<string> {
  const titles = new Set(entries.map(({ title }) => title))
  const groups = Map.groupBy([...titles], startIn)
  return new Set([...groups].flatMap(([start, { length }]) => (length > 1 ? [start] : [])))
}

const startIn = (title: string) => /^[^:]{1,40}: (?=\S)/.exec(title)?.[0] ?? ''

/** Returns the number of printed lines of each entry: one for as many as fit, then more for long ones. */
function printedLines(entries: readonly ListedEntry[], height: number): readonly number[] {
  const isTooMany = entries.length * entryHeight - gapHeight > height
  const count = isTooMany
    ? Math.max(1, Math.floor((height - restHeight) / entryHeight))
    : entries.length
  const wanted = entries
    .map(({ title, allDay, places }, at) => {
      const length = title.length + (allDay ? 0 : clockLength) + (places ? placesLength : 0)
      return { at, length, wish: Math.ceil(length / lineLength) }
    })
    .sort((a, b) => b.length - a.length)
  const lines: number[] = entries.map((_, at) => (at < count ? 1 : 0))
  let rest = isTooMany ? 0 : Math.floor(height + gapHeight - count * entryHeight)
  for (let line = 2; line <= maxPrintedLines; line += 1) {
    for (const { at, wish } of wanted) {
      if (rest === 0 || wish < line) continue
      lines[at] = line
      rest -= 1
    }
  }
  return lines
}
