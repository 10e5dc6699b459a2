#!/usr/bin/env bash
# A parameter in quotation marks may contain colons (RFC 5545, 3.2). Outlook names zones like
# TZID="(UTC-05:00) Eastern Time (US & Canada)". ical2json 5.0.0 (npm), which programs use to turn
# calendars into JSON, ends such a parameter at its first colon, so neither the zone nor the time is
# usable. ical-js-parser 0.7.4 (npm) omits the event. ical.js 2.2.1 (npm) reads it correctly. Publishers
# of such calendars should write IANA names, which need no quotation marks.
#
# Output, for an event at 19:00 in New York, which is 00:00 UTC on the next day:
#   ical2json: TZID: "(UTC-05, value: 00) Eastern Time (US & Canada)":20270105T190000
#   ical-js-parser: 0 events
#   ical.js: 2027-01-06T00:00:00.000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  ical2json@5.0.0 ical-js-parser@0.7.4 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
const require = createRequire(import.meta.url)
const zone = '(UTC-05:00) Eastern Time (US & Canada)'
const calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:${zone}
BEGIN:STANDARD
DTSTART:20071104T020000
RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
TZOFFSETFROM:-0400
TZOFFSETTO:-0500
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:20070311T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU
TZOFFSETFROM:-0500
TZOFFSETTO:-0400
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID="${zone}":20270105T190000
SUMMARY:Drill
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n')
const [{ DTSTART: start }] = require('ical2json').convert(calendar).VCALENDAR[0].VEVENT
console.log(`ical2json: TZID: ${start.TZID}, value: ${start._}`)
const { events } = require('ical-js-parser').default.toJSON(calendar)
console.log(`ical-js-parser: ${events.length} events`)
const event = new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent('vevent')
console.log(`ical.js: ${new ICAL.Event(event).startDate.toJSDate().toISOString()}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
ical2json: TZID: "(UTC-05, value: 00) Eastern Time (US & Canada)":20270105T190000
ical-js-parser: 0 events
ical.js: 2027-01-06T00:00:00.000Z
OUTPUT
