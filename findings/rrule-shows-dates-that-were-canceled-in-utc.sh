#!/usr/bin/env bash
# A canceled date may be in UTC or in a different time zone than the series (RFC 5545, 3.8.5.1): it is a
# point in time, and removes the occurrence at that time. If DTSTART has a TZID, rrule 2.8.1 (npm), which
# many calendar libraries use, compares only the digits, so the canceled evening stays. For the same
# reason, an additional date in UTC (RDATE) is shown hours late. A publisher should write all dates of a
# series in one time zone.
#
# Output, in UTC, for evenings on January 5, 6 and 7, 2027 at 19:00 in New York, with one more line:
#   EXDATE;TZID=America/New_York:20270106T190000: 2027-01-06T00:00, 2027-01-08T00:00
#   EXDATE:20270107T000000Z: 2027-01-06T00:00, 2027-01-07T00:00, 2027-01-08T00:00
#   RDATE:20270111T000000Z: 2027-01-06T00:00, 2027-01-07T00:00, 2027-01-08T00:00, 2027-01-11T05:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 >/dev/null

cat >read.cjs <<'JS'
const { rrulestr } = require('rrule')
const lines = [
  'EXDATE;TZID=America/New_York:20270106T190000',
  'EXDATE:20270107T000000Z',
  'RDATE:20270111T000000Z',
]
for (const line of lines) {
  const set = rrulestr(`DTSTART;TZID=America/New_York:20270105T190000\nRRULE:FREQ=DAILY;COUNT=3\n${line}`)
  console.log(`${line}: ${set.all().map((date) => date.toISOString().slice(0, 16)).join(', ')}`)
}
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
EXDATE;TZID=America/New_York:20270106T190000: 2027-01-06T00:00, 2027-01-08T00:00
EXDATE:20270107T000000Z: 2027-01-06T00:00, 2027-01-07T00:00, 2027-01-08T00:00
RDATE:20270111T000000Z: 2027-01-06T00:00, 2027-01-07T00:00, 2027-01-08T00:00, 2027-01-11T05:00
OUTPUT
