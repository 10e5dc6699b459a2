#!/usr/bin/env bash
# ical-expander 3.2.0 (npm) reads a series until an occurrence starts after the requested days. If a
# later occurrence has moved to a day before that one (RECURRENCE-ID, RFC 5545, 3.8.4.4), no week shows
# it. FullCalendar 6.1.21 contains a copy of ical-expander. A moved occurrence is safe if it is a separate
# event, and EXDATE removes the original one.
#
# Output, for an event on January 5, 12, 19 and 26, whose last occurrence has moved to January 14:
#   January 10 to 16: 12
#   January 17 to 23: 19
#   January 24 to 30:
#   January 1 to 31: 5, 12, 14, 19
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical-expander@3.2.0 >/dev/null

cat >read.mjs <<'JS'
import IcalExpander from 'ical-expander'
const ics = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T200000Z
RRULE:FREQ=WEEKLY;COUNT=4
SUMMARY:Training
END:VEVENT
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
RECURRENCE-ID:20270126T190000Z
DTSTART:20270114T190000Z
DTEND:20270114T200000Z
SUMMARY:Moved
END:VEVENT
END:VCALENDAR`
const expander = new IcalExpander({ ics })
const weeks = [
  [10, 16],
  [17, 23],
  [24, 30],
  [1, 31],
]
for (const [first, last] of weeks) {
  const day = (number) => `2027-01-${String(number).padStart(2, '0')}`
  const { events, occurrences } = expander.between(
    new Date(`${day(first)}T00:00:00Z`),
    new Date(`${day(last)}T23:59:59Z`),
  )
  const days = [...events, ...occurrences].map(({ startDate }) => startDate.day)
  const shown = days.toSorted((a, b) => a - b).join(', ')
  console.log(`January ${first} to ${last}: ${shown}`.trim())
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
January 10 to 16: 12
January 17 to 23: 19
January 24 to 30:
January 1 to 31: 5, 12, 14, 19
OUTPUT
