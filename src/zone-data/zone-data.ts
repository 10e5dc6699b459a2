import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { IANAZone } from 'luxon'
import { dayMs, hourMs } from '../clock.ts'
import { siteDateAt } from '../records/site-time.ts'
import { readTzif, type ZoneFile } from './tzif.ts'

let systemDirectory = '/usr/share/zoneinfo'

/** Period in which rules must agree. Feeds contain few entries after it. */
const comparedMs = 2 * 366 * dayMs

/** The operating system's data are read again after this time, because updates replace them. */
const keptMs = 6 * hourMs

/** Releases of the zone data in use and of the operating system's, like 2026c. */
export type ZoneData = {
  /** Release in use for the zone. */
  readonly release: string
  readonly systemRelease: string | undefined
  /** The zone by the operating system's data, if these are newer than Node's. */
  readonly newer: ZoneFile | undefined
  /** True if the operating system's data are newer, but do not have the zone, or are damaged. */
  readonly isUnreadable: boolean
  /** First difference from the newer rules within two years. */
  readonly difference: ZoneDifference | undefined
}

export type ZoneDifference = {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Minutes by which times are wrong. */
  readonly minutes: number
}

const nodeRelease = process.versions.tz ?? ''

type Rules = { readonly release: string; readonly fileOf: (zone: string) => ZoneFile | undefined }

/** Newer rules that replace Node's in this process. */
let installed: Rules | undefined

/**
 * Makes this process use the operating system's rules if they are newer than Node's. Replaces luxon's
 * offsets, which all conversions use. Must run before any conversion, because offsets are cached.
 * `directory` is the value of TZDIR, which C libraries use, too.
 */
export function installNewestRules(directory = systemDirectory): void {
  systemDirectory = directory
  const release = releaseIn(directory)
  if (installed || release === undefined || release <= nodeRelease) return
  const files = new Map<string, ZoneFile | undefined>()
  const fileOf = (zone: string) => {
    if (!files.has(zone)) files.set(zone, zoneFileIn(directory, zone))
    return files.get(zone)
  }
  installed = { release, fileOf }
  // oxlint-disable-next-line typescript/unbound-method -- It is called with the zone as `this`.
  const { offset } = IANAZone.prototype
  IANAZone.prototype.offset = function (this: IANAZone, instant: number) {
    return fileOf(this.name)?.offsetAt(instant) ?? offset.call(this, instant)
  }
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

function compareZoneData(timeZone: string, now: number, directory: string): ZoneData {
  const systemRelease = releaseIn(directory)
  const isNewer = systemRelease !== undefined && systemRelease > nodeRelease
  const newer = isNewer ? zoneFileIn(directory, timeZone) : undefined
  return {
    release: installed?.fileOf(timeZone) ? installed.release : nodeRelease,
    systemRelease,
    newer,
    isUnreadable: isNewer && !newer,
    difference: newer && firstDifference(timeZone, newer, now),
  }
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
  { release, systemRelease, isUnreadable, difference }: ZoneData,
  timeZone: string,
): { readonly ok: boolean; readonly sentence: string } {
  const used = `Feedhouse's time zone rules are from release ${release}`
  if (isUnreadable) {
    const sentence = `${used}, because ${timeZone} cannot be read in this machine's newer rules (${systemRelease}). Ask this server's administrator to reinstall the operating system's time zone data, usually called tzdata, then restart Feedhouse.`
    return { ok: false, sentence }
  }
  if (difference) {
    const sentence = `${used}, but this machine's rules (${systemRelease}) differ by ${difference.minutes} minutes for ${timeZone} from ${siteDateAt(difference.at, timeZone)} on, so times in feeds are wrong. Restart Feedhouse to use this machine's rules.`
    return { ok: false, sentence }
  }
  const from =
    release === nodeRelease
      ? `from Node; this machine has ${systemRelease ?? 'none'}`
      : 'from this machine'
  return { ok: true, sentence: `${used} (${from}).` }
}
