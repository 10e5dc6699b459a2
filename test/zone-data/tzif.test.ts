import { existsSync, readFileSync } from 'node:fs'
import { IANAZone } from 'luxon'
import { expect, test } from 'vitest'
import { readTzif } from '../../src/zone-data/tzif.ts'
import { tzifOf } from '../support/zone-files.ts'

const zones = `
America/New_York America/Phoenix America/St_Johns America/Sao_Paulo Europe/Berlin Europe/Dublin
Australia/Sydney Australia/Lord_Howe Asia/Kolkata Asia/Kathmandu Pacific/Chatham Africa/Cairo
`
  .trim()
  .split(/\s+/)

/** These years are over, so all releases agree on them. */
const [from, until] = [Date.UTC(2010, 0, 1), Date.UTC(2024, 0, 1)]

const pathOf = (zone: string) => `/usr/share/zoneinfo/${zone}`

test.runIf(existsSync(pathOf('Europe/Berlin'))).for(zones)(
  "reads this machine's file for %s like Node",
  (name) => {
    const zone = IANAZone.create(name)
    const file = readTzif(readFileSync(pathOf(name)))
    const days = Array.from({ length: (until - from) / 86_400_000 }, (_, day) => from + day * 864e5)
    const changes = (file?.changesBetween(from, until) ?? []).flatMap((at) => [at - 60_000, at])
    const wrong = [...days, ...changes].filter((at) => file?.offsetAt(at) !== zone.offset(at))
    expect(wrong.map((at) => new Date(at).toISOString())).toEqual([])
  },
)

// Rules of the kinds that zones have, with the zone in which Node applies the same rule.
test.for([
  ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York'],
  ['CET-1CEST,M3.5.0,M10.5.0/3', 'Europe/Berlin'],
  ['IST-1GMT0,M10.5.0,M3.5.0/1', 'Europe/Dublin'],
  ['AEST-10AEDT,M10.1.0,M4.1.0/3', 'Australia/Sydney'],
  ['<+1030>-10:30<+11>-11,M10.1.0,M4.1.0', 'Australia/Lord_Howe'],
  ['NST3:30NDT,M3.2.0,M11.1.0', 'America/St_Johns'],
  ['<+1245>-12:45<+1345>,M9.5.0/2:45,M4.1.0/3:45', 'Pacific/Chatham'],
  ['<+0545>-5:45', 'Asia/Kathmandu'],
] as const)('applies %s like Node in %s', ([footer, name]) => {
  const zone = IANAZone.create(name)
  const file = readTzif(tzifOf([], footer))
  const [start, end] = [Date.UTC(2023, 0, 1), Date.UTC(2026, 0, 1)]
  const hours = Array.from({ length: (end - start) / 36e5 / 5 }, (_, index) => start + index * 18e6)
  const changes = (file?.changesBetween(start, end) ?? []).flatMap((at) => [at - 60_000, at])
  expect(changes).toHaveLength(footer.includes(',') ? 12 : 0)
  const wrong = [...hours, ...changes].filter((at) => file?.offsetAt(at) !== zone.offset(at))
  expect(wrong.map((at) => new Date(at).toISOString())).toEqual([])
})
