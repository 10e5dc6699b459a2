import { mapInTurns } from './answer-limits.ts'
import { timesOf, type Zone } from './calendar-filter.ts'
import { entryIn } from './property-filter.ts'

type Range = { readonly start: number; readonly end: number }

type FreeBusyContext = Zone & {
  readonly range: Range
  /** Unique for each calendar. */
  readonly id: string
  readonly now: number
}

/** Renders the busy times in the files of entries (RFC 4791 7.10). */
export async function renderFreeBusy(
  items: readonly { readonly body: () => string }[],
  { range, id, now, ...zone }: FreeBusyContext,
): Promise<string> {
  const busy: Range[] = []
  const tentative: Range[] = []
  await mapInTurns(items, ({ body }) => {
    const entry = entryIn(body())
    const [transparency, status] = ['TRANSP', 'STATUS'].map(
      (name) => entry.properties.get(name)?.[0],
    )
    if (transparency === 'TRANSPARENT' || status === 'CANCELLED') return
    const times = timesOf(entry, zone)
    const start = Math.max(times.start, range.start)
    const end = Math.min(times.end, range.end)
    if (!(start < end)) return
    const list = status === 'TENTATIVE' ? tentative : busy
    list.push({ start, end })
  })
  const [start, end] = [timeFrom(range.start), timeFrom(range.end)]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Feedhouse//Feedhouse//EN',
    'BEGIN:VFREEBUSY',
    `UID:${id}-${start}-${end}`,
    `DTSTAMP:${timeFrom(now)}`,
    `DTSTART:${start}`,
    `DTEND:${end}`,
    ...merged(busy).map((each) => `FREEBUSY:${periodFrom(each)}`),
    ...merged(tentative).map((each) => `FREEBUSY;FBTYPE=BUSY-TENTATIVE:${periodFrom(each)}`),
    'END:VFREEBUSY',
    'END:VCALENDAR',
    '',
  ]
  return lines.join('\r\n')
}

/** Sorts ranges by time, and merges overlapping and adjacent ones. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const all: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1)
    if (!last || range.start > last.end) all.push(range)
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
  }
  return all
}

const periodFrom = ({ start, end }: Range) => `${timeFrom(start)}/${timeFrom(end)}`

const timeFrom = (ms: number) => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '')
