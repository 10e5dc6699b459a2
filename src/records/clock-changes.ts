import { offsetsIn } from './site-time.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Between two changes, there are at least as many days. */
const searchStepMs = 5 * dayMs

/** A clock change. Offsets are in minutes, the instant in milliseconds since the epoch. */
export type ClockChange = {
  readonly before: number
  readonly after: number
  readonly instant: number
}

/** Offsets in minutes, each with the instant from which it applies, in milliseconds since the epoch. */
export type SiteOffsets = readonly (readonly [from: number, offset: number])[]

/** Returns a zone's clock changes. `from` is a midnight in UTC. */
export function clockChangesIn(
  timeZone: string,
  { from, until }: { readonly from: number; readonly until: number },
): readonly ClockChange[] {
  const offsetAt = offsetsIn(timeZone)
  const found: ClockChange[] = []
  for (let start = from; start < until; start += searchStepMs) {
    const end = Math.min(start + searchStepMs, until)
    const before = offsetAt(start)
    const after = offsetAt(end)
    if (before !== after) {
      found.push({ before, after, instant: firstMinuteAfter(offsetAt, start, end, before) })
    }
  }
  return found
}

function firstMinuteAfter(
  offsetAt: (instant: number) => number,
  from: number,
  until: number,
  before: number,
): number {
  let [low, high] = [from / minuteMs, until / minuteMs]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * minuteMs) === before) low = middle
    else high = middle
  }
  return high * minuteMs
}

/** Boards may be offline for months, and show when data from last year were read. */
const offsetsBeforeMs = 366 * dayMs
const offsetsAfterMs = 2 * 366 * dayMs

/** Returns a zone's offsets in the past year and the next two. The first one also applies earlier. */
export function siteOffsetsAt(instant: number, timeZone: string): SiteOffsets {
  const today = Math.floor(instant / dayMs) * dayMs
  const [from, until] = [today - offsetsBeforeMs, today + offsetsAfterMs]
  const changes = clockChangesIn(timeZone, { from, until })
  return [
    [from, offsetsIn(timeZone)(from)],
    ...changes.map((change) => [change.instant, change.after] as const),
  ]
}
