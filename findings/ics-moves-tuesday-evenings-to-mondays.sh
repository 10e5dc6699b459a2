#!/usr/bin/env bash
# BYDAY names weekdays in the time zone of DTSTART (RFC 5545, 3.3.10). ics 3.12.0 (npm), which websites
# use to write calendars, converts a local start to UTC by default, but not the weekdays of the rule. In
# New York, 19:00 on a Tuesday is Wednesday in UTC, so the rule repeats Tuesday in UTC, which is Monday
# evening. ical.js 2.2.1 (npm), which Thunderbird and web calendars use, shows every evening on the wrong
# day. To avoid this, pass startOutputType: 'local', or leave out BYDAY.
#
# Output, for a drill on Tuesdays at 19:00 in New York from January 5, 2027:
#   FREQ=WEEKLY;BYDAY=TU: Monday, January 11 at 19:00, Monday, January 18 at 19:00
#   FREQ=WEEKLY: Tuesday, January 5 at 19:00, Tuesday, January 12 at 19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics@3.12.0 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import ICAL from 'ical.js'
import { createEvent } from 'ics'
const start = [2027, 1, 5, 19, 0]
const format = new Intl.DateTimeFormat('en-US', {
  weekday: 'long', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23',
})
for (const recurrenceRule of ['FREQ=WEEKLY;BYDAY=TU', 'FREQ=WEEKLY']) {
  const { value } = createEvent({ title: 'Drill', start, duration: { hours: 2 }, recurrenceRule })
  const event = new ICAL.Component(ICAL.parse(value)).getFirstSubcomponent('vevent')
  const iterator = new ICAL.Event(event).iterator()
  const times = Array.from({ length: 2 }, () => format.format(iterator.next().toJSDate()))
  console.log(`${recurrenceRule}: ${times.join(', ')}`)
}
JS
TZ=America/New_York node run.mjs | tee output

diff output - <<'OUTPUT'
FREQ=WEEKLY;BYDAY=TU: Monday, January 11 at 19:00, Monday, January 18 at 19:00
FREQ=WEEKLY: Tuesday, January 5 at 19:00, Tuesday, January 12 at 19:00
OUTPUT
