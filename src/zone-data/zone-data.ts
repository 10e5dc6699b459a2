import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { IANAZone } from 'luxon'
import { dayMs, hourMs } from '../clock.ts'
import { siteDateAt } from '../records/site-time.ts'
import { readTzif, type ZoneFile } from './tzif.ts'

/** Directory with the operating system's zone data. */
const systemDirectory = '/usr/share/zoneinfo'

/** Period in which rules must agree. Feeds contain few entries after it. */
const comparedMs = 2 * 366 * dayMs

/** The operating system's data are read again after this time, because updates replace them. */
const keptMs = 6 * hourMs

/** Releases of the zone data in use and of the operating system's, like 2026c. */
export type ZoneData = {
  /** Release in use, which comes with Node. */
  readonly release: string
  readonly systemRelease: string | undefined
  /** The site's zone by the operating system's data, if these are newer. */
  readonly newer: ZoneFile | undefined
  /** First difference from the newer rules within two years. */
  readonly difference: ZoneDifference | undefined
}

export type ZoneDifference = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Minutes by which times are wrong. */
  readonly minutes: number
}

const known = new LRUCache<string, ZoneData, { timeZone: string; now: number; directory: string }>({
  max: 500,
  memoMethod: (_key, _stale, { context: { timeZone, now, directory } }) =>
    compareZoneData(timeZone, now, directory),
})

/** Compares the rules in use for a zone with the operating system's. Keeps results for hours. */
export function zoneDataOf(timeZone: string, now: number, directory = systemDirectory): ZoneData {
  const key = `${directory} ${timeZone} ${Math.floor(now / keptMs)}`
  return known.memo(key, { context: { timeZone, now, directory } })
}

export const zoneRelease = process.versions.tz ?? ''

function compareZoneData(timeZone: string, now: number, directory: string): ZoneData {
  const systemRelease = releaseIn(directory)
  const isNewer = systemRelease !== undefined && systemRelease > zoneRelease
  const newer = isNewer ? zoneFileIn(directory, timeZone) : undefined
  const difference = newer && firstDifference(timeZone, newer, now)
  return { release: zoneRelease, systemRelease, newer, difference }
}

/** Returns the release of a directory's data, which Linux and macOS store in different files. */
function releaseIn(directory: string): string | undefined {
  const start = contentOf(join(directory, 'tzdata.zi'))?.toString('latin1', 0, 100) ?? ''
  const version = contentOf(join(directory, '+VERSION'))?.toString('latin1') ?? ''
  return /^# version (\d{4}[a-z]+)/.exec(start)?.[1] ?? /^\d{4}[a-z]+/.exec(version)?.[0]
}

function zoneFileIn(directory: string, timeZone: string): ZoneFile | undefined {
  const bytes = contentOf(join(directory, timeZone))
  return bytes && readTzif(bytes)
}

/** Returns undefined for files that do not exist or cannot be read, as on Windows. */
function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

function firstDifference(
  timeZone: string,
  newer: ZoneFile,
  now: number,
): ZoneDifference | undefined {
  const zone = IANAZone.create(timeZone)
  const until = now + comparedMs
  const days = Array.from({ length: Math.ceil(comparedMs / dayMs) }, (_, day) => now + day * dayMs)
  const changes = newer.changesBetween(now, until).flatMap((at) => [at - 1, at])
  const at = [...days, ...changes]
    .toSorted((a, b) => a - b)
    .find((each) => zone.offset(each) !== newer.offsetAt(each))
  if (at === undefined) return undefined
  return { at, minutes: Math.abs(zone.offset(at) - newer.offsetAt(at)) }
}

/** Says which rules are in use, and what to do if the operating system's differ. */
export function zoneDataFinding(
  { release, systemRelease, newer, difference }: ZoneData,
  timeZone: string,
): { readonly ok: boolean; readonly sentence: string } {
  if (difference) {
    const sentence = `Feedhouse's time zone rules (release ${release}) are out of date: for ${timeZone}, this machine's rules (${systemRelease}) differ by ${difference.minutes} minutes from ${siteDateAt(difference.at, timeZone)} on, so times in feeds are wrong. Update Node.js, then restart Feedhouse.`
    return { ok: false, sentence }
  }
  const same = newer ? `, and this machine's (${systemRelease}) are the same for ${timeZone}` : ''
  return { ok: true, sentence: `Feedhouse's time zone rules are from release ${release}${same}.` }
}
