#!/usr/bin/env bash
# An alarm is part of its event (RFC 5545, 3.6.6). ical-js-parser 0.7.4 (npm), which turns calendars into
# JSON and back, writes an event's alarms after the end of the event, where none are allowed, and adds
# lines that were not there. So a program that uses it to change a title removes the reminders, and
# calendar apps may reject the whole calendar. Even without an alarm, there is an extra line after the
# last event.
#
# Output, for an event with an alarm, as it is written back:
#   BEGIN:VEVENT SUMMARY:Drill : END:VEVENT E:EN BEGIN:VALARM ACTION:DISPLAY END:VALARM END:VCALENDAR
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical-js-parser@0.7.4 >/dev/null

cat >run.cjs <<'JS'
const parser = require('ical-js-parser').default
const calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:Drill
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Drill
TRIGGER:-PT15M
END:VALARM
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n')
const lines = parser.toString(parser.toJSON(calendar)).trim().split(/\r?\n/)
const shown = lines.slice(lines.indexOf('BEGIN:VEVENT'))
console.log(shown.filter((line) => !/^(UID|DTSTAMP|DTSTART|DESCRIPTION|TRIGGER)/.test(line)).join(' '))
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
BEGIN:VEVENT SUMMARY:Drill : END:VEVENT E:EN BEGIN:VALARM ACTION:DISPLAY END:VALARM END:VCALENDAR
OUTPUT
