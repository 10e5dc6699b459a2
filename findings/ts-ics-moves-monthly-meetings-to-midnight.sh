#!/usr/bin/env bash
# A series takes the time from DTSTART if its rule does not name one (RFC 5545, 3.3.10). ts-ics 2.4.6
# (npm) loses it if the rule has weekdays of a month, and leaves out the first date. It keeps both if the
# rule has days of a month.
#
# Output, for a meeting at 19:00 UTC on the first Tuesday of each month, and on the 5th:
#   BYDAY=1TU: 2027-02-02 00:00, 2027-03-02 00:00, 2027-04-06 00:00
#   BYMONTHDAY=5: 2027-01-05 19:00, 2027-02-05 19:00, 2027-03-05 19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ts-ics@2.4.6 >/dev/null

cat >read.mjs <<'JS'
import { convertIcsCalendar, extendByRecurrenceRule } from 'ts-ics'
for (const days of ['BYDAY=1TU', 'BYMONTHDAY=5']) {
  const { events } = convertIcsCalendar(
    undefined,
    `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
RRULE:FREQ=MONTHLY;${days};COUNT=12
SUMMARY:Meeting
END:VEVENT
END:VCALENDAR`,
  )
  const [{ recurrenceRule, start }] = events
  const dates = extendByRecurrenceRule(recurrenceRule, { start: start.date }).slice(0, 3)
  const times = dates.map((date) => date.toISOString().slice(0, 16).replace('T', ' '))
  console.log(`${days}: ${times.join(', ')}`)
}
JS
TZ=UTC node read.mjs | tee output

diff output - <<'OUTPUT'
BYDAY=1TU: 2027-02-02 00:00, 2027-03-02 00:00, 2027-04-06 00:00
BYMONTHDAY=5: 2027-01-05 19:00, 2027-02-05 19:00, 2027-03-05 19:00
OUTPUT
