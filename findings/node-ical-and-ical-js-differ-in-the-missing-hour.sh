#!/usr/bin/env bash
# A time that doesn't exist because clocks go forward is read with the offset before the change, so 02:30
# becomes 03:30 (RFC 5545, 3.3.5), also in a series (3.3.10 with erratum 4271). node-ical 0.27.2 (npm),
# with rrule-temporal 2.2.8, leaves out that night, and a series with COUNT ends later. ical.js 2.2.1
# (npm) shows it at 01:30. For night shifts, UTC or separate events are safer than a series.
#
# Output, for three night shifts at 02:30 in New York. The second one should be on March 14 at 03:30:
#   node-ical: March 7 at 02:30, March 21 at 02:30, March 28 at 02:30
#   ical.js: March 7 at 02:30, March 14 at 01:30, March 21 at 02:30
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . node-ical@0.27.2 \
  rrule-temporal@2.2.8 ical.js@2.2.1 >/dev/null

cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:America/New_York
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=America/New_York:20270307T023000
RRULE:FREQ=WEEKLY;COUNT=3
SUMMARY:Night shift
END:VEVENT
END:VCALENDAR
ICS
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
const text = readFileSync('calendar.ics', 'utf8')
const format = (options) => new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', ...options })
const day = format({ month: 'long', day: 'numeric' })
const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const show = (name, dates) =>
  console.log(`${name}: ${dates.map((date) => `${day.format(date)} at ${clock.format(date)}`).join(', ')}`)

const shifts = nodeIcal.expandRecurringEvent(nodeIcal.sync.parseICS(text)['1@example.org'], {
  from: new Date('2027-03-01'),
  to: new Date('2027-04-30'),
})
show('node-ical', shifts.map(({ start }) => start))

const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
const iterator = new ICAL.Event(event).iterator()
show('ical.js', Array.from({ length: 3 }, () => iterator.next().toJSDate()))
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
node-ical: March 7 at 02:30, March 21 at 02:30, March 28 at 02:30
ical.js: March 7 at 02:30, March 14 at 01:30, March 21 at 02:30
OUTPUT
