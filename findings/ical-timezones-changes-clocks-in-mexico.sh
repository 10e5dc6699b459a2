#!/usr/bin/env bash
# A VTIMEZONE contains the offsets of a time zone, and a reader uses them instead of its own (RFC 5545,
# 3.2.19 and 3.6.5). @touch4it/ical-timezones 1.9.0 (npm), with which programs write calendars, contains
# outdated offsets for more than 30 zones. For example, it still changes the clocks in Mexico, which
# stopped doing so in 2022, so summer events are an hour off. timezones-ical-library 2.3.2 (npm) contains
# the current offsets.
#
# Output, in UTC, with an event at 19:00 in Mexico City (which is 01:00 UTC), read with ical.js 2.2.1:
#   @touch4it/ical-timezones: January 5 at 01:00, July 6 at 00:00
#   timezones-ical-library: January 5 at 01:00, July 6 at 01:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @touch4it/ical-timezones@1.9.0 \
  timezones-ical-library@2.3.2 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import { getVtimezoneComponent } from '@touch4it/ical-timezones'
import ICAL from 'ical.js'
import { tzlib_get_ical_block } from 'timezones-ical-library'
const zone = 'America/Mexico_City'
const libraries = {
  '@touch4it/ical-timezones': getVtimezoneComponent(zone),
  'timezones-ical-library': tzlib_get_ical_block(zone)[0],
}
const format = new Intl.DateTimeFormat('en-US', {
  month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC',
})
for (const [name, timeZone] of Object.entries(libraries)) {
  const times = ['20270104T190000', '20270705T190000'].map((start) => {
    const calendar = ICAL.parse(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
${timeZone.trim()}
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;TZID=${zone}:${start}
SUMMARY:Drill
END:VEVENT
END:VCALENDAR`)
    const event = new ICAL.Event(new ICAL.Component(calendar).getFirstSubcomponent('vevent'))
    return format.format(event.startDate.toJSDate())
  })
  console.log(`${name}: ${times.join(', ')}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
@touch4it/ical-timezones: January 5 at 01:00, July 6 at 00:00
timezones-ical-library: January 5 at 01:00, July 6 at 01:00
OUTPUT
