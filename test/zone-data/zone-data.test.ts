import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { zoneDataFinding, zoneDataOf } from '../../src/zone-data/zone-data.ts'
import { testDirectory } from '../support/service.ts'
import { tzifOf, writeZoneData } from '../support/zone-files.ts'

const nodeRelease = process.versions.tz ?? ''
const now = Date.parse('2026-11-29T12:00:00Z')
const newYork = tzifOf([], 'EST5EDT,M3.2.0,M11.1.0')
const later = `${Number(nodeRelease.slice(0, 4)) + 1}a`

const dataIn = (
  zone: Buffer,
  { release = later, timeZone = 'America/New_York', at = now } = {},
) => {
  const directory = testDirectory()
  writeZoneData(directory, { release, zones: { [timeZone]: zone } })
  return zoneDataOf(timeZone, at, directory)
}

test('accepts rules that are the same in newer data', () => {
  const data = dataIn(newYork)
  expect(data).toMatchObject({ systemRelease: later, difference: undefined })
  expect(zoneDataFinding(data, 'America/New_York')).toEqual({
    ok: true,
    sentence: `Feedhouse's time zone rules are from release ${nodeRelease} (from Node; this machine has ${later}).`,
  })
})

test.for([
  ['the end of daylight saving time', 'EST5', '2027-03-14T07:00:00Z', 60],
  ['daylight saving time all year', 'EDT4', '2026-11-29T12:00:00Z', 60],
  ['a change an hour later', 'EST5EDT,M3.2.0/3,M11.1.0', '2027-03-14T07:00:00Z', 60],
  ['a change a week later', 'EST5EDT,M3.3.0,M11.1.0', '2027-03-14T07:00:00Z', 60],
  ['half an hour', 'EST5EDT3:30,M3.2.0,M11.1.0', '2027-03-14T07:00:00Z', 30],
] as const)('finds %s in newer data', ([, footer, at, minutes]) => {
  const { difference } = dataIn(tzifOf([], footer))
  expect(difference?.minutes).toBe(minutes)
  const delayMs = (difference?.at ?? 0) - Date.parse(at)
  expect(delayMs).toBeGreaterThanOrEqual(0)
  expect(delayMs).toBeLessThan(24 * 3_600_000)
})

test('finds a change that is listed, not part of a rule', () => {
  const changes = [{ at: '2027-01-10T07:00:00Z', offset: -240 }]
  const { difference } = dataIn(tzifOf(changes, '', -300))
  expect(difference?.at).toBe(Date.parse('2027-01-10T07:00:00Z'))
})

test('ignores changes more than two years ahead', () => {
  const changes = [
    { at: '2026-11-01T06:00:00Z', offset: -300 },
    { at: '2027-03-14T07:00:00Z', offset: -240 },
    { at: '2027-11-07T06:00:00Z', offset: -300 },
    { at: '2028-03-12T07:00:00Z', offset: -240 },
    { at: '2028-11-05T06:00:00Z', offset: -300 },
    { at: '2029-01-10T07:00:00Z', offset: -240 },
  ]
  expect(dataIn(tzifOf(changes, '', -240)).difference).toBeUndefined()
})

test.for([
  ['older', '2019a'],
  ['of the same release', nodeRelease],
])('ignores data that are %s', ([, release]) => {
  const data = dataIn(tzifOf([], 'EST5'), { release })
  expect(data).toMatchObject({ newer: undefined, difference: undefined })
  const { ok } = zoneDataFinding(data, 'America/New_York')
  expect(ok).toBe(true)
})

test.for<[string, Buffer]>([
  ['truncated', newYork.subarray(0, -4)],
  ['cut off in the header', newYork.subarray(0, 60)],
  ['empty', Buffer.alloc(0)],
  ['not zone data', Buffer.from('<html>'.repeat(50))],
  ['with an unknown rule', tzifOf([], 'EST5EDT,J60,J300')],
])('reports a file that cannot be used: %s', ([, zone]) => {
  const data = dataIn(zone)
  expect(data).toMatchObject({ newer: undefined, difference: undefined, isUnreadable: true })
  const { ok, sentence } = zoneDataFinding(data, 'America/New_York')
  expect(ok).toBe(false)
  expect(sentence).toContain(
    `America/New_York cannot be read in this machine's newer rules (${later})`,
  )
})

test('accepts machines without zone data, or without the zone', () => {
  const directory = testDirectory()
  expect(zoneDataOf('America/New_York', now, join(directory, 'missing'))).toMatchObject({
    systemRelease: undefined,
    difference: undefined,
  })
  writeZoneData(directory, { release: later, zones: {} })
  expect(zoneDataOf('America/New_York', now, directory).isUnreadable).toBe(true)
})

test('reads the release as macOS stores it', () => {
  const directory = testDirectory()
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, '+VERSION'), `${later}\n`)
  expect(zoneDataOf('America/New_York', now, directory).systemRelease).toBe(later)
})

test('reads the data again after an update, within hours', () => {
  const directory = testDirectory()
  const differs = (at: number) => zoneDataOf('America/New_York', at, directory).difference
  writeZoneData(directory, { release: later, zones: { 'America/New_York': tzifOf([], 'EST5') } })
  expect(differs(now)).toBeDefined()
  rmSync(join(directory, 'tzdata.zi'))
  expect(differs(now)).toBeDefined()
  expect(differs(now + 6 * 3_600_000)).toBeUndefined()
})
