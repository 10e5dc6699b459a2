#!/usr/bin/env bash
# BYSETPOS=-1 selects the last of the dates that the rest of a rule produces for each month (RFC 5545,
# 3.3.10). With BYMONTHDAY=28,29,30,31, it is a common way to write the last day of a month. ical.js
# 2.2.1 (npm), which Thunderbird and web calendars use, ignores BYSETPOS in such a rule, so there are up
# to four events a month. It supports BYSETPOS with weekdays, as in the last working day of a month.
# BYMONTHDAY=-1 works.
#
# Output, for the last day of each month from January 31, 2027:
#   BYMONTHDAY=28,29,30,31;BYSETPOS=-1: January 31, February 28, March 28, March 29, March 30, March 31
#   BYMONTHDAY=-1: January 31, February 28, March 31, April 30, May 31, June 30
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
const format = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
for (const days of ['BYMONTHDAY=28,29,30,31;BYSETPOS=-1', 'BYMONTHDAY=-1']) {
  const calendar = ICAL.parse(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270131
RRULE:FREQ=MONTHLY;${days}
SUMMARY:Report due
END:VEVENT
END:VCALENDAR`)
  const event = new ICAL.Event(new ICAL.Component(calendar).getFirstSubcomponent('vevent'))
  const iterator = event.iterator()
  const dates = Array.from({ length: 6 }, () => format.format(new Date(iterator.next().toString())))
  console.log(`${days}: ${dates.join(', ')}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
BYMONTHDAY=28,29,30,31;BYSETPOS=-1: January 31, February 28, March 28, March 29, March 30, March 31
BYMONTHDAY=-1: January 31, February 28, March 31, April 30, May 31, June 30
OUTPUT
