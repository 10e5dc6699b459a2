#!/usr/bin/env bash
# node-ical 0.27.2 (npm) puts the alarms of an event into a list, except those with a UID (RFC 9074, 4),
# which become properties of the event that are named like the UID. Programs that use the list don't
# show them. Apple's calendars write one into each alarm.
#
# Output, for an event with two alarms:
#   alarms: -PT1H
#   2@example.org: -PT15M
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . node-ical@0.27.2 >/dev/null

cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
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
TRIGGER:-PT1H
END:VALARM
BEGIN:VALARM
UID:2@example.org
ACTION:DISPLAY
DESCRIPTION:Drill
TRIGGER:-PT15M
END:VALARM
END:VEVENT
END:VCALENDAR
ICS
cat >read.mjs <<'JS'
import nodeIcal from 'node-ical'
const event = nodeIcal.sync.parseFile('calendar.ics')['1@example.org']
console.log(`alarms: ${event.alarms.map(({ trigger }) => trigger).join(', ')}`)
console.log(`2@example.org: ${event['2@example.org']?.trigger}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
alarms: -PT1H
2@example.org: -PT15M
OUTPUT
