#!/usr/bin/env bash
# A duration of P1D lasts until the same time of the next day, and PT24H lasts 24 hours (RFC 5545,
# 3.3.6). On days when clocks change, these differ. node-ical 0.27.2 (npm) reads P1D as 24 hours, and
# ical.js 2.2.1 (npm) reads PT24H as a day. Only DTEND gives both of them the right end.
#
# Output, with the end of events that start on March 13, 2027 at 12:00 in New York. Clocks go forward
# on the following night, so P1D should end at 12:00, and PT24H at 13:00:
#   P1D: node-ical 13:00, ical.js 12:00
#   PT24H: node-ical 13:00, ical.js 12:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . node-ical@0.27.2 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
const calendar = (duration) => `BEGIN:VCALENDAR
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
DTSTART;TZID=America/New_York:20270313T120000
DURATION:${duration}
SUMMARY:Night exercise
END:VEVENT
END:VCALENDAR`
const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'short' })
for (const duration of ['P1D', 'PT24H']) {
  const text = calendar(duration)
  const { end } = nodeIcal.sync.parseICS(text)['1@example.org']
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent')
  const { endDate } = new ICAL.Event(event)
  const ends = [end, endDate.toJSDate()].map((time) => clock.format(time))
  console.log(`${duration}: node-ical ${ends[0]}, ical.js ${ends[1]}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
P1D: node-ical 13:00, ical.js 12:00
PT24H: node-ical 13:00, ical.js 12:00
OUTPUT
