#!/usr/bin/env bash
# An alarm has its own DESCRIPTION, and an email alarm its own SUMMARY (RFC 5545, 3.6.6). cal-parser 1.0.2
# (npm) reads an event as one list of lines, and treats the lines of its alarms as its own. So every event
# with a reminder has the description "Reminder", and an event with a reminder by email has the subject of
# that email as its title.
#
# Output, with the title and description of an event without and with alarms:
#   no alarm: Drill: Bring gloves
#   ACTION:DISPLAY: Drill: Reminder
#   ACTION:EMAIL: Tomorrow at the fire station: See you there
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . cal-parser@1.0.2 >/dev/null

cat >read.cjs <<'JS'
const { parseString } = require('cal-parser')
const alarms = {
  'no alarm': [],
  'ACTION:DISPLAY': ['DESCRIPTION:Reminder'],
  'ACTION:EMAIL': ['SUMMARY:Tomorrow at the fire station', 'DESCRIPTION:See you there', 'ATTENDEE:mailto:pat@example.org'],
}
for (const [name, texts] of Object.entries(alarms)) {
  const alarm = texts.length === 0 ? [] : ['BEGIN:VALARM', name, 'TRIGGER:-P1D', ...texts, 'END:VALARM']
  const lines = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:Drill
DESCRIPTION:Bring gloves
END:VEVENT
END:VCALENDAR
`.split('\n').flatMap((line) => (line === 'END:VEVENT' ? [...alarm, line] : [line]))
  const [event] = parseString(lines.join('\r\n')).events
  console.log(`${name}: ${event.summary.value}: ${event.description.value}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
no alarm: Drill: Bring gloves
ACTION:DISPLAY: Drill: Reminder
ACTION:EMAIL: Tomorrow at the fire station: See you there
OUTPUT
