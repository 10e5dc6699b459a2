#!/usr/bin/env bash
# A time with a TZID is in the time zone that the calendar defines (RFC 5545, 3.3.5). The iCalendar plugin
# of Schedule-X 3.7.3 (npm), a calendar for web pages, treats it as UTC, and then converts it to the zone
# of the page. So even a page in the event's own zone shows the event hours off. Only times in UTC are
# right.
#
# Output, for a page in New York with an event at 19:00 there, written in two ways:
#   TZID=America/New_York:20270105T190000: January 5, 14:00
#   20270106T000000Z: January 5, 19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @schedule-x/ical@3.7.3 @schedule-x/calendar@3.7.3 temporal-polyfill@0.3.0 >/dev/null

cat >read.cjs <<'JS'
globalThis.document = { querySelector: () => null }
require('temporal-polyfill/global')
const { createCalendar, createViewWeek } = require('@schedule-x/calendar')
const { createIcalendarPlugin } = require('@schedule-x/ical')
const { Temporal } = globalThis
for (const start of ['TZID=America/New_York:20270105T190000', '20270106T000000Z']) {
  const plugin = createIcalendarPlugin({
    data: `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VTIMEZONE
TZID:America/New_York
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
DTSTART${start.startsWith('TZID') ? ';' : ':'}${start}
DURATION:PT1H
SUMMARY:Drill
END:VEVENT
END:VCALENDAR`,
  })
  const settings = {
    views: [createViewWeek()],
    selectedDate: Temporal.PlainDate.from('2027-01-05'),
    timezone: 'America/New_York',
  }
  const { $app } = createCalendar(settings, [plugin])
  plugin.beforeRender($app)
  const [event] = $app.calendarEvents.list.value
  const { day, hour } = event.start.withTimeZone('America/New_York')
  console.log(`${start}: January ${day}, ${hour}:00`)
}
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
TZID=America/New_York:20270105T190000: January 5, 14:00
20270106T000000Z: January 5, 19:00
OUTPUT
