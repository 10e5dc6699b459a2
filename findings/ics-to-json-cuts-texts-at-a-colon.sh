#!/usr/bin/env bash
# The first colon of a line ends the property's name, and the value may contain more colons (RFC 5545,
# 3.1). ics-to-json 2.0.2 (npm) returns only the part of a value before its first colon, so "Doors: 7 pm"
# becomes "Doors", and a URL becomes "https". If a long line is folded and its second half contains a
# colon, the text after that colon is also missing. A publisher should put the most important words
# first.
#
# Output:
#   Doors open at 7 pm: Doors open at 7 pm
#   Doors: 7 pm: Doors
#   https://www.example.org/drill: https
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics-to-json@2.0.2 >/dev/null

cat >read.cjs <<'JS'
const { icsToJson } = require('ics-to-json')
const run = async () => {
  for (const text of ['Doors open at 7 pm', 'Doors: 7 pm', 'https://www.example.org/drill']) {
    const calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:Drill
DESCRIPTION:${text}
END:VEVENT
END:VCALENDAR
`.replaceAll('\n', '\r\n')
    const [event] = await icsToJson(calendar)
    console.log(`${text}: ${event.description}`)
  }
}
run()
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Doors open at 7 pm: Doors open at 7 pm
Doors: 7 pm: Doors
https://www.example.org/drill: https
OUTPUT
