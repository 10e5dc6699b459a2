#!/usr/bin/env bash
# A month without a fifth Tuesday has no event in a series with BYDAY=5TU, because a rule skips dates that
# don't exist (RFC 5545, 3.3.10). icalendar 0.7.1 (npm), with which Node.js programs read calendars, shows
# the first Tuesday of the next month instead. For the last day of each month (BYMONTHDAY=-1), it shows
# the first day and the day before the last. So a publisher should write such dates as separate events.
#
# Output (right: March 30, June 29, August 31, November 30; January 31, February 28, March 31, April 30):
#   BYDAY=5TU: March 30, May 4, June 1, June 29, August 3, August 31
#   BYMONTHDAY=-1: January 31, February 27, March 1, March 30, April 1, April 29
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . icalendar@0.7.1 >/dev/null

cat >read.cjs <<'JS'
const { parse_calendar } = require('icalendar')
const format = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
for (const [days, start] of [['BYDAY=5TU', '20270330'], ['BYMONTHDAY=-1', '20270131']]) {
  const calendar = parse_calendar(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:${start}T190000Z
RRULE:FREQ=MONTHLY;${days}
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
BYDAY=5TU: March 30, May 4, June 1, June 29, August 3, August 31
BYMONTHDAY=-1: January 31, February 27, March 1, March 30, April 1, April 29
OUTPUT
