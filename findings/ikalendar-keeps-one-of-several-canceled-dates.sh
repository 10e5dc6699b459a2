#!/usr/bin/env bash
# An event may have several EXDATE lines, one for each canceled date (RFC 5545, 3.6.1). ikalendar 1.5.0
# and ical-toolkit 1.0.9 (npm) return only the last one, without an error, so the event seems to take
# place on the other dates. ikalendar does return all attendees, who also have one line each. Publishers
# can write all dates into one EXDATE.
#
# Output, for a weekly event without January 12 and 19, and with two attendees:
#   two lines: ikalendar 20270119, 2 attendees, ical-toolkit 20270119, 1 attendee
#   one line: ikalendar 20270112,20270119, 2 attendees, ical-toolkit 20270112,20270119, 1 attendee
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ikalendar@1.5.0 ical-toolkit@1.0.9 >/dev/null

cat >read.cjs <<'JS'
const { parseToJSON } = require('ical-toolkit')
const { Parser } = require('ikalendar')
const lines = {
  'two lines': 'EXDATE;VALUE=DATE:20270112\r\nEXDATE;VALUE=DATE:20270119',
  'one line': 'EXDATE;VALUE=DATE:20270112,20270119',
}
for (const [name, dates] of Object.entries(lines)) {
  const calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270105
RRULE:FREQ=WEEKLY
${dates}
ATTENDEE:mailto:pat@example.org
ATTENDEE:mailto:sam@example.org
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
`.replaceAll(/\r?\n/g, '\r\n')
  const [first] = new Parser().parse(calendar).events
  const [{ VEVENT: [second] }] = parseToJSON(calendar).VCALENDAR
  const results = [
    `ikalendar ${first.exdate.value.trim()}, ${first.attendees.length} attendees`,
    `ical-toolkit ${second['EXDATE;VALUE=DATE']}, ${[second.ATTENDEE].flat().length} attendee`,
  ]
  console.log(`${name}: ${results.join(', ')}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
two lines: ikalendar 20270119, 2 attendees, ical-toolkit 20270119, 1 attendee
one line: ikalendar 20270112,20270119, 2 attendees, ical-toolkit 20270112,20270119, 1 attendee
OUTPUT
