#!/usr/bin/env bash
# RFC 5545 gives "every 20th Monday of the year" and "Monday of week number 20" as examples of yearly
# rules (3.8.5.3). ical.js 2.2.1 (npm), which Thunderbird and web calendars use, shows every Monday
# instead, without an error. It reads Mondays of a month correctly, such as the third one in May. For
# other rules, a publisher should write one event per year.
#
# Output, for series that start on May 17, 2027:
#   FREQ=YEARLY;BYDAY=20MO: 2027-05-17, 2027-05-24, 2027-05-31
#   FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO: 2027-05-24, 2027-05-31, 2027-06-07
#   FREQ=YEARLY;BYMONTH=5;BYDAY=3MO: 2027-05-17, 2028-05-15, 2029-05-21
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
for (const rule of ['FREQ=YEARLY;BYDAY=20MO', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', 'FREQ=YEARLY;BYMONTH=5;BYDAY=3MO']) {
  const calendar = ICAL.parse(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270517
RRULE:${rule}
SUMMARY:Meeting
END:VEVENT
END:VCALENDAR`)
  const event = new ICAL.Event(new ICAL.Component(calendar).getFirstSubcomponent('vevent'))
  const iterator = event.iterator()
  const dates = Array.from({ length: 3 }, () => iterator.next().toString())
  console.log(`${rule}: ${dates.join(', ')}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
FREQ=YEARLY;BYDAY=20MO: 2027-05-17, 2027-05-24, 2027-05-31
FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO: 2027-05-24, 2027-05-31, 2027-06-07
FREQ=YEARLY;BYMONTH=5;BYDAY=3MO: 2027-05-17, 2028-05-15, 2029-05-21
OUTPUT
