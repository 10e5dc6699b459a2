#!/usr/bin/env bash
# A time with neither Z nor TZID is local time wherever the reader is (RFC 5545, 3.3.5), and DTSTAMP is
# always in UTC (3.8.7.2). If a calendar has a time zone, ical-generator 11.1.2 (npm) writes that zone in
# X-WR-TIMEZONE and EXDATE, but not in DTSTART, DTEND or UNTIL, and it writes DTSTAMP without the Z.
# Programs that don't know X-WR-TIMEZONE, like node-ical 0.27.2, show a meeting in New York at 7 PM of the
# reader's zone, and don't find the canceled date. A publisher has to set the zone of each event too.
#
# Output, for a reader in Los Angeles:
#   zone of the calendar: DTSTART:20270105T190000, EXDATE;TZID=America/New_York:20270112T190000
#     19:00 on January 5, 12, 19
#   zone of calendar and event: DTSTART;TZID=America/New_York:20270105T190000, EXDATE;TZID=America/New_York:20270112T190000
#     16:00 on January 5, 19
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  ical-generator@11.1.2 luxon@3.7.2 node-ical@0.27.2 >/dev/null

cat >run.mjs <<'JS'
import ical from 'ical-generator'
import { DateTime } from 'luxon'
import reader from 'node-ical'
const zone = 'America/New_York'
const at = (day, hour) => DateTime.fromObject({ year: 2027, month: 1, day, hour }, { zone })
for (const [name, timezone] of [
  ['zone of the calendar', undefined],
  ['zone of calendar and event', zone],
]) {
  const calendar = ical({ name: 'Meetings', timezone: zone })
  calendar.createEvent({
    id: '1@example.org',
    stamp: at(1, 0),
    start: at(5, 19),
    end: at(5, 21),
    summary: 'Meeting',
    repeating: { freq: 'WEEKLY', count: 3, exclude: [at(12, 19)] },
    ...(timezone && { timezone }),
  })
  const text = calendar.toString()
  console.log(`${name}: ${text.match(/^(DTSTART|EXDATE).*/gm).map((line) => line.trim()).join(', ')}`)
  const event = Object.values(reader.sync.parseICS(text)).find(({ type }) => type === 'VEVENT')
  const shown = reader.expandRecurringEvent(event, { from: new Date('2027-01-01'), to: new Date('2027-02-01') })
  const [hour] = shown.map(({ start }) => start.toTimeString().slice(0, 5))
  console.log(`  ${hour} on January ${shown.map(({ start }) => start.getDate()).join(', ')}`)
}
JS
TZ=America/Los_Angeles node run.mjs | tee output

diff output - <<'OUTPUT'
zone of the calendar: DTSTART:20270105T190000, EXDATE;TZID=America/New_York:20270112T190000
  19:00 on January 5, 12, 19
zone of calendar and event: DTSTART;TZID=America/New_York:20270105T190000, EXDATE;TZID=America/New_York:20270112T190000
  16:00 on January 5, 19
OUTPUT
