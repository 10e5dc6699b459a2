import { DateTime } from 'luxon'
import { beforeAll, expect, test } from 'vitest'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'
import { zoneRuleFor } from '../../src/calendar/zone-rule.ts'
import { siteOffsetsAt } from '../../src/records/clock-changes.ts'
import {
  instantFromSiteTime,
  siteDateAt,
  siteTimeAt,
  zonedTimeAt,
} from '../../src/records/site-time.ts'
import { installNewestRules, zoneDataFinding, zoneDataOf } from '../../src/zone-data/zone-data.ts'
import { temporaryDirectory } from '../support/service.ts'
import { tzifOf, writeZoneData } from '../support/zone-files.ts'

const nodeRelease = process.versions.tz ?? ''
const later = `${Number(nodeRelease.slice(0, 4)) + 1}a`

// Rules that no release has: an hour ahead all year, and a day's worth of odd offsets elsewhere.
const zones = {
  'America/Chicago': tzifOf([{ at: '2026-11-01T07:00:00Z', offset: -300 }], 'CST5', -300),
  'Asia/Kolkata': tzifOf([], 'IST-6'),
  'Europe/Berlin': Buffer.from('TZif2'),
}

const directory = temporaryDirectory()
const at = Date.parse('2027-01-15T12:00:00Z')

beforeAll(() => {
  writeZoneData(directory.path, { release: later, zones })
  installNewestRules(directory.path)
  return () => directory[Symbol.dispose]()
})

test('converts all times by the newer rules', () => {
  const zone = 'America/Chicago'
  expect(siteTimeAt(at, zone)).toBe('2027-01-15T07:00:00')
  expect(siteDateAt(Date.parse('2027-01-15T05:30:00Z'), zone)).toBe('2027-01-15')
  expect(zonedTimeAt(at, zone)).toBe('2027-01-15T07:00:00-05:00')
  expect(instantFromSiteTime('2027-01-15T07:00:00', zone)).toBe(at)
  expect(DateTime.fromISO('2027-01-15T07:00', { zone }).toMillis()).toBe(at)
  expect(siteTimeAt(at, 'Asia/Kolkata')).toBe('2027-01-15T18:00:00')
})

test('writes calendars and boards by the newer rules', () => {
  expect(zoneRuleFor('America/Chicago', 2026)).toMatchObject({ kind: 'fixed', offset: -300 })
  const moment = siteZoneOf('America/Chicago', 2026).momentOf('2027-01-15T07:00:00')
  expect(moment).toMatchObject({ instant: at })
  expect(siteOffsetsAt(at, 'America/Chicago').at(-1)?.[1]).toBe(-300)
})

test.for([
  ['damaged', 'Europe/Berlin', '2027-01-15T13:00:00'],
  ['missing', 'America/New_York', '2027-01-15T07:00:00'],
] as const)('uses Node’s rules if the zone’s file is %s, and says so', ([, zone, siteTime]) => {
  expect(siteTimeAt(at, zone)).toBe(siteTime)
  const data = zoneDataOf(zone, at)
  expect(data).toMatchObject({ release: nodeRelease, systemRelease: later })
  expect(zoneDataFinding(data, zone)).toEqual({
    ok: false,
    sentence: `Feedhouse's time zone rules are from release ${nodeRelease}, because ${zone} cannot be read in this machine's newer rules (${later}). Ask this server's administrator to reinstall the operating system's time zone data, usually called tzdata, then restart Feedhouse.`,
  })
})

test('names the release in use', () => {
  const data = zoneDataOf('America/Chicago', at)
  expect(data).toMatchObject({ release: later, systemRelease: later, difference: undefined })
  expect(zoneDataFinding(data, 'America/Chicago').sentence).toContain(
    `are from release ${later} (from this machine)`,
  )
})

test('asks for a restart after another update', () => {
  const newest = {
    release: `${Number(later.slice(0, 4)) + 1}a`,
    zones: { ...zones, 'Asia/Kolkata': tzifOf([], 'IST-5') },
  }
  writeZoneData(directory.path, newest)
  const data = zoneDataOf('Asia/Kolkata', at + 24 * 3_600_000)
  expect(data.difference?.minutes).toBe(60)
  expect(zoneDataFinding(data, 'Asia/Kolkata').sentence).toContain('Restart Feedhouse')
})
