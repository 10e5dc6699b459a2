#!/usr/bin/env bash
# A line may be folded anywhere, even next to a space in the text, because readers remove only the line
# break and the one space after it (RFC 5545, 3.1). ics-parser 0.1.5 (npm) removes all spaces on both
# sides of a fold, and cozy-ical 1.1.22 (npm) removes all spaces after it. So two words become one.
# Publishers can avoid this by folding only between two letters.
#
# Output, for the title "Open house at Station 2", folded in different places:
#   before the space: ics-parser "Openhouse at Station 2", cozy-ical "Openhouse at Station 2"
#   after the space: ics-parser "Openhouse at Station 2", cozy-ical "Open house at Station 2"
#   within a word: ics-parser "Open house at Station 2", cozy-ical "Open house at Station 2"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics-parser@0.1.5 cozy-ical@1.1.22 >/dev/null

cat >read.cjs <<'JS'
const { ICalParser } = require('cozy-ical')
const parse = require('ics-parser')
const titles = {
  'before the space': 'Open\r\n  house at Station 2',
  'after the space': 'Open \r\n house at Station 2',
  'within a word': 'Op\r\n en house at Station 2',
}
const calendarOf = (title) => `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
SUMMARY:${title}
END:VEVENT
END:VCALENDAR
`.replaceAll(/\r?\n/g, '\r\n')
const run = async () => {
  for (const [name, title] of Object.entries(titles)) {
    const calendar = calendarOf(title)
    const result = await new Promise((resolve, reject) =>
      new ICalParser().parseString(calendar, (error, value) => (error ? reject(error) : resolve(value))),
    )
    const [first, second] = [parse(calendar)[0].name, result.subComponents[0].model.summary]
    console.log(`${name}: ics-parser "${first}", cozy-ical "${second}"`)
  }
}
run()
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
before the space: ics-parser "Openhouse at Station 2", cozy-ical "Openhouse at Station 2"
after the space: ics-parser "Openhouse at Station 2", cozy-ical "Open house at Station 2"
within a word: ics-parser "Open house at Station 2", cozy-ical "Open house at Station 2"
OUTPUT
