/** Clock changes of a zone from a TZif file (RFC 9636). Instants are in milliseconds, offsets in minutes. */
export type ZoneFile = {
  readonly offsetAt: (instant: number) => number
  readonly changesBetween: (from: number, until: number) => readonly number[]
}

const secondMs = 1000
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const headerBytes = 44

type Change = { readonly at: number; readonly offset: number }

/** Reads a TZif file of version 2 or later. Returns undefined if it is damaged or not such a file. */
export function readTzif(bytes: Buffer): ZoneFile | undefined {
  try {
    return zoneFileFrom(bytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function zoneFileFrom(bytes: Buffer): ZoneFile | undefined {
  const second = headerBytes + bodyBytesAt(bytes, 0, 4)
  const isReadable = [0, second].every((at) => bytes.toString('latin1', at, at + 4) === 'TZif')
  const last = bytes.length - 1
  const footerAt = second + headerBytes + bodyBytesAt(bytes, second, 8)
  if (!isReadable || bytes[footerAt] !== newline || bytes[last] !== newline) return undefined
  const footer = bytes.toString('latin1', footerAt + 1, last)
  const rule = footer === '' ? undefined : posixRuleFrom(footer)
  if (footer !== '' && !rule) return undefined
  const { first, changes } = changesIn(bytes, second)
  const lastAt = changes.at(-1)?.at ?? -Infinity

  const changesFrom = (from: number, until: number): readonly Change[] => [
    ...changes.filter(({ at }) => at >= from && at < until),
    ...(rule?.changesBetween(Math.max(from, lastAt + 1), until) ?? []),
  ]
  return {
    offsetAt: (instant) => {
      const known = changesFrom(instant - 400 * dayMs, instant + 1).at(-1)
      if (known) return known.offset
      if (rule && instant > lastAt) return rule.standardOffset
      return changes.findLast(({ at }) => at <= instant)?.offset ?? first
    },
    changesBetween: (from, until) => changesFrom(from, until).map(({ at }) => at),
  }
}

const newline = 10

/** Returns the counts of a header: UTC and standard indicators, leap seconds, times, types, characters. */
function countsAt(bytes: Buffer, at: number) {
  const [utc, standard, leap, time, type, character] = [20, 24, 28, 32, 36, 40].map((offset) =>
    bytes.readUInt32BE(at + offset),
  ) as [number, number, number, number, number, number]
  return { utc, standard, leap, time, type, character }
}

function bodyBytesAt(bytes: Buffer, at: number, timeBytes: 4 | 8): number {
  const { utc, standard, leap, time, type, character } = countsAt(bytes, at)
  return time * (timeBytes + 1) + type * 6 + character + leap * (timeBytes + 4) + standard + utc
}

function changesIn(bytes: Buffer, at: number) {
  const { time, type } = countsAt(bytes, at)
  const times = at + headerBytes
  const types = times + time * 9
  const offsetOf = (index: number) => {
    if (index >= type) throw new RangeError('unknown local time type')
    return bytes.readInt32BE(types + index * 6) / 60
  }
  const changes = Array.from({ length: time }, (_, index): Change => ({
    at: Number(bytes.readBigInt64BE(times + index * 8)) * secondMs,
    offset: offsetOf(bytes.readUInt8(times + time * 8 + index)),
  }))
  return { first: offsetOf(0), changes }
}

const name = '(?:[A-Za-z]{3,}|<[+\\-\\w]+>)'
const clock = '([+-]?\\d+(?::\\d+){0,2})'
const date = `M(\\d+)\\.([1-5])\\.([0-6])(?:/${clock})?`
const posixRule = new RegExp(`^${name}${clock}(?:${name}${clock}?,${date},${date})?$`)

/** Reads a TZ string (RFC 9636 3.3) with dates like the second Sunday in March. */
function posixRuleFrom(text: string) {
  const found = posixRule.exec(text)
  if (!found) return undefined
  const [, standard = '', daylight, ...dates] = found
  const standardOffset = -minutesOf(standard)
  const hasChanges = dates[0] !== undefined
  const daylightOffset = daylight === undefined ? standardOffset + 60 : -minutesOf(daylight)
  const [start, end] = [dates.slice(0, 4), dates.slice(4)]
  const changesIn = (year: number): readonly Change[] => [
    { at: instantOf(start, year, standardOffset), offset: daylightOffset },
    { at: instantOf(end, year, daylightOffset), offset: standardOffset },
  ]
  return {
    standardOffset,
    changesBetween: (from: number, until: number): readonly Change[] => {
      if (!hasChanges || from >= until) return []
      const [firstYear, lastYear] = [from, until].map((at) => new Date(at).getUTCFullYear()) as [
        number,
        number,
      ]
      return Array.from({ length: lastYear - firstYear + 3 }, (_, index) => firstYear - 1 + index)
        .flatMap(changesIn)
        .filter(({ at }) => at >= from && at < until)
        .toSorted((a, b) => a.at - b.at)
    },
  }
}

function instantOf(
  [month, week, weekday, time = '2']: readonly (string | undefined)[],
  year: number,
  offsetBefore: number,
): number {
  const first = Date.UTC(year, Number(month) - 1, 1)
  const firstDay = (Number(weekday) - new Date(first).getUTCDay() + 7) % 7
  const days = firstDay + (Number(week) - 1) * 7
  const lastDay = new Date(Date.UTC(year, Number(month), 0)).getUTCDate()
  const day = days < lastDay ? days : days - 7
  return first + day * dayMs + (minutesOf(time) - offsetBefore) * minuteMs
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number)
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes + seconds / 60)
}
