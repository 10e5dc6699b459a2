#!/usr/bin/env bash
# A yearly event that started on February 29 happens only in leap years, because a rule skips dates that
# don't exist (RFC 5545, 3.3.10). ical.js 2.2.1 (npm), which Nextcloud and other web calendars use, shows
# it on March 1 of other years, unless the rule contains BYMONTH and BYMONTHDAY.
#
# Output:
#   FREQ=YEARLY: 2024-02-29, 2025-03-01, 2026-03-01
#   FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29: 2024-02-29, 2028-02-29, 2032-02-29
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
for (const rule of ['FREQ=YEARLY', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29']) {
  const calendar = ICAL.parse(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20240229
RRULE:${rule}
SUMMARY:Founding day
END:VEVENT
END:VCALENDAR`)
  const event = new ICAL.Component(calendar).getFirstSubcomponent('vevent')
  const iterator = new ICAL.Event(event).iterator()
  const days = Array.from({ length: 3 }, () => iterator.next().toString())
  console.log(`${rule}: ${days.join(', ')}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
FREQ=YEARLY: 2024-02-29, 2025-03-01, 2026-03-01
FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29: 2024-02-29, 2028-02-29, 2032-02-29
OUTPUT
