import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { siteZoneOf } from '../../src/calendar/site-zone.ts'
import { instantFromSiteTime, instantsWith } from '../../src/records/site-time.ts'
import { readTzif } from '../../src/zone-data/tzif.ts'

const year = 2026
const times = ['01-15T10:00', '03-29T02:30', '04-15T10:00', '07-15T10:00', '10-15T10:00']
const wallTimes = Array.from({ length: 11 }, (_, index) => 2020 + index).flatMap((each) =>
  times.map((time) => `${each}-${time}:00`),
)

/** Rules of this machine, which clients on it use. */
const directory = '/usr/share/zoneinfo'
const list = `${directory}/tzdata.zi`
const release = existsSync(list) ? /\d{4}[a-z]/.exec(readFileSync(list, 'latin1'))?.[0] : undefined
const isOlder = release !== undefined && release < (process.versions.tz ?? '')

test.runIf(isOlder)(
  'writes local times only where clients with older data read the right instant, in every zone',
  { timeout: 60_000 },
  () => {
    const wrong: string[] = []
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      const path = `${directory}/${timeZone}`
      const client = existsSync(path) ? readTzif(readFileSync(path)) : undefined
      if (!client) continue
      const zone = siteZoneOf(timeZone, year)
      for (const wallTime of wallTimes) {
        const { instant, isUnambiguous } = zone.momentOf(wallTime)
        expect(instant).toBe(instantFromSiteTime(wallTime, timeZone))
        const read = instantsWith(wallTime, client.offsetAt)
        if (isUnambiguous && read[0] !== instant) wrong.push(`${timeZone} ${wallTime}`)
      }
    }
    expect(wrong).toEqual([])
  },
)
