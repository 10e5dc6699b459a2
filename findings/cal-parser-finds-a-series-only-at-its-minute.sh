#!/usr/bin/env bash
# getEventsOnDate of cal-parser 1.0.2 (npm) returns the events of a day. For an event that happens once,
# it compares the days. For a series, it looks for occurrences between the given time and the same time,
# so every date except the first one is missing, unless the program passes the exact time at which the
# series starts. All-day series are found at midnight.
#
# Output, for a drill on Tuesdays at 19:00 from January 5, and a single event on January 12 at 19:00:
#   January 5: Drill
#   January 12: Meeting
#   January 12 at 19:00: Drill, Meeting
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cal-parser@1.0.2 >/dev/null

cat >read.cjs <<'JS'
const { parseString } = require('cal-parser')
const calendar = parseString(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T210000Z
RRULE:FREQ=WEEKLY
SUMMARY:Drill
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270112T190000Z
DTEND:20270112T210000Z
SUMMARY:Meeting
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n'))
const days = { 'January 5': [5], 'January 12': [12], 'January 12 at 19:00': [12, 19] }
for (const [name, [day, hour = 0]] of Object.entries(days)) {
  const events = calendar.getEventsOnDate(new Date(2027, 0, day, hour))
  console.log(`${name}: ${events.map((event) => event.summary.value).join(', ')}`)
}
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
January 5: Drill
January 12: Meeting
January 12 at 19:00: Drill, Meeting
OUTPUT
