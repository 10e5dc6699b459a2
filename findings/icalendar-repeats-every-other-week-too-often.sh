#!/usr/bin/env bash
# A weekly rule with INTERVAL=2 skips every other week, even if it has several weekdays (RFC 5545,
# 3.3.10). icalendar 0.7.1 (npm), with which Node.js programs read calendars, shows a series with several
# weekdays in some of the skipped weeks as well, without an error. A series with one weekday is correct,
# so publishers should write a series for each weekday.
#
# Output, for every other week from Tuesday, January 5, 2027 (right in the first line: 5, 7, 19, 21):
#   BYDAY=TU,TH: January 5, January 7, January 12, January 19, January 21, January 26
#   BYDAY=TU: January 5, January 19, February 2, February 16, March 2, March 16
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . icalendar@0.7.1 >/dev/null

cat >read.cjs <<'JS'
const { parse_calendar } = require('icalendar')
const format = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
for (const days of ['BYDAY=TU,TH', 'BYDAY=TU']) {
  const calendar = parse_calendar(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
RRULE:FREQ=WEEKLY;INTERVAL=2;${days}
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n'))
  const dates = calendar.events()[0].rrule().nextOccurences(6)
  console.log(`${days}: ${dates.map((date) => format.format(date)).join(', ')}`)
}
JS
TZ=UTC node read.cjs 2>/dev/null | tee output

diff output - <<'OUTPUT'
BYDAY=TU,TH: January 5, January 7, January 12, January 19, January 21, January 26
BYDAY=TU: January 5, January 19, February 2, February 16, March 2, March 16
OUTPUT
