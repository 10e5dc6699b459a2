#!/usr/bin/env bash
# Commas separate categories. A comma within one is escaped with a backslash (RFC 5545, 3.8.1.2 and 3.3.11).
# ical 0.8.0 (npm) splits the value before it looks for backslashes. So a category becomes two, the first of
# which ends with a backslash, and filters for it find nothing. Publishers should avoid commas in
# categories.
#
# Output:
#   CATEGORIES:Drills,Meetings: ["Drills","Meetings"]
#   CATEGORIES:Parks\, trails,Meetings: ["Parks\\","trails","Meetings"]
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical@0.8.0 >/dev/null

cat >read.cjs <<'JS'
const ical = require('ical')
for (const line of ['CATEGORIES:Drills,Meetings', 'CATEGORIES:Parks\\, trails,Meetings']) {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//example//example//EN',
    'BEGIN:VEVENT',
    'UID:1@example.org',
    'DTSTAMP:20260101T000000Z',
    'DTSTART:20270105T190000Z',
    'SUMMARY:Open house',
    line,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
  const { categories } = ical.parseICS(lines.join('\r\n'))['1@example.org']
  console.log(`${line}: ${JSON.stringify(categories)}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
CATEGORIES:Drills,Meetings: ["Drills","Meetings"]
CATEGORIES:Parks\, trails,Meetings: ["Parks\\","trails","Meetings"]
OUTPUT
