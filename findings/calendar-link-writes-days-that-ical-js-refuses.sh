#!/usr/bin/env bash
# A date in DTSTART and DTEND needs VALUE=DATE, because their default is a date with a time (RFC 5545,
# 3.8.2.4 and 3.8.2.2). calendar-link 2.11.5 (npm), which websites use for "Add to calendar" links,
# leaves it out. ical.js 2.2.1 (npm), which Thunderbird and web calendars use to read such files, throws
# an error. So visitors can save evening events, but not fairs and other all-day events.
#
# Output, with the start as it is written and as it is read:
#   with times: DTSTART:20270105T190000Z, read as 2027-01-05T19:00:00Z
#   all day: DTSTART:20270105, not read: invalid date-time value: "2027-01-05T::"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . calendar-link@2.11.5 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
const { ics } = createRequire(import.meta.url)('calendar-link')
const events = {
  'with times': { title: 'Drill', start: '2027-01-05T19:00:00Z', duration: [1, 'hour'] },
  'all day': { title: 'Fair', start: '2027-01-05', end: '2027-01-07', allDay: true },
}
for (const [name, event] of Object.entries(events)) {
  const text = decodeURIComponent(ics(event)).slice('data:text/calendar;charset=utf8,'.length)
  const [start] = /DTSTART.*(?=\r)/.exec(text)
  let result
  try {
    const calendar = new ICAL.Component(ICAL.parse(text))
    result = `read as ${new ICAL.Event(calendar.getFirstSubcomponent('vevent')).startDate}`
  } catch (error) {
    result = `not read: ${error.message}`
  }
  console.log(`${name}: ${start}, ${result}`)
}
JS
TZ=UTC node run.mjs | tee output

diff output - <<'OUTPUT'
with times: DTSTART:20270105T190000Z, read as 2027-01-05T19:00:00Z
all day: DTSTART:20270105, not read: invalid date-time value: "2027-01-05T::"
OUTPUT
