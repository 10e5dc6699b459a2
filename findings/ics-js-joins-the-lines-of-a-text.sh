#!/usr/bin/env bash
# In iCalendar text, a line break is written as a backslash and an n, and readers remove the line break of
# a fold, with the space after it (RFC 5545, 3.1 and 3.3.11). ics-js 0.10.2 (npm), which programs use to
# write calendars, writes a line break in a description as a fold. So readers join the lines of the text,
# and the last word of each line runs into the first word of the next. It also doesn't escape backslashes,
# so the folder C:\news has a line break. A program has to escape text before it passes the text on.
#
# Output, from ical.js 2.2.1:
#   "Doors: 7 pm\nDinner: 8 pm": "Doors: 7 pmDinner: 8 pm"
#   "C:\\news": "C:\news"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics-js@0.10.2 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import ICAL from 'ical.js'
import ics from 'ics-js'
for (const description of ['Doors: 7 pm\nDinner: 8 pm', 'C:\\news']) {
  const event = new ics.VEVENT()
  event.addProp('UID', '1@example.org')
  event.addProp('DTSTAMP', new Date('2026-01-01T00:00:00Z'))
  event.addProp('DTSTART', new Date('2027-01-05T19:00:00Z'))
  event.addProp('DESCRIPTION', description)
  const calendar = new ics.VCALENDAR()
  calendar.addProp('VERSION', 2)
  calendar.addProp('PRODID', '-//example//example//EN')
  calendar.addComponent(event)
  const read = new ICAL.Component(ICAL.parse(calendar.toString()))
  const shown = read.getFirstSubcomponent('vevent').getFirstPropertyValue('description')
  console.log(`${JSON.stringify(description)}: ${JSON.stringify(shown)}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
"Doors: 7 pm\nDinner: 8 pm": "Doors: 7 pmDinner: 8 pm"
"C:\\news": "C:\news"
OUTPUT
