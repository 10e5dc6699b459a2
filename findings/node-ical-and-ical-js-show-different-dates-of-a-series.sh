#!/usr/bin/env bash
# An event with RDATE but no RRULE happens at DTSTART and on each RDATE (RFC 5545, 3.8.5.2). node-ical
# 0.27.2 (npm), which MagicMirror uses, shows only DTSTART, and ical.js 2.2.1 (npm), which web calendars
# use, everything except DTSTART. If a series has no rule, write an event for each date.
#
# Output, for an event on January 5, 7 and 9:
#   node-ical: 5
#   ical.js: 7, 9
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . node-ical@0.27.2 ical.js@2.2.1 >/dev/null

cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T200000Z
RDATE:20270107T190000Z,20270109T190000Z
SUMMARY:First aid course
END:VEVENT
END:VCALENDAR
ICS
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
const text = readFileSync('calendar.ics', 'utf8')

const event = nodeIcal.sync.parseICS(text)['1@example.org']
const [from, to] = [new Date('2027-01-01'), new Date('2027-02-01')]
const occurrences = nodeIcal.expandRecurringEvent(event, { from, to })
console.log(`node-ical: ${occurrences.map(({ start }) => start.getUTCDate()).join(', ')}`)

const calendar = new ICAL.Component(ICAL.parse(text))
const iterator = new ICAL.Event(calendar.getFirstSubcomponent('vevent')).iterator()
const days = []
for (let time = iterator.next(); time; time = iterator.next()) days.push(time.day)
console.log(`ical.js: ${days.join(', ')}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
node-ical: 5
ical.js: 7, 9
OUTPUT
