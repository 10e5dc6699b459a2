#!/usr/bin/env bash
# rrule 2.8.1 (npm), which many calendar libraries use, reads DTSTART of a series of days only without
# VALUE=DATE. But a date in DTSTART needs that parameter (RFC 5545, 3.8.2.4). With it, the series starts
# at the current time, without an error.
#
# Output, for a weekly event on January 5 and 12, 2027:
#   DTSTART:20270105: 2027-01-05, 2027-01-12
#   DTSTART;VALUE=DATE:20270105: starts now
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 >/dev/null

cat >read.cjs <<'JS'
const { rrulestr } = require('rrule')
for (const start of ['DTSTART:20270105', 'DTSTART;VALUE=DATE:20270105']) {
  const dates = rrulestr(`${start}\nRRULE:FREQ=WEEKLY;COUNT=2`).all()
  const isNow = Math.abs(dates[0] - Date.now()) < 60_000
  const days = dates.map((date) => date.toISOString().slice(0, 10)).join(', ')
  console.log(`${start}: ${isNow ? 'starts now' : days}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
DTSTART:20270105: 2027-01-05, 2027-01-12
DTSTART;VALUE=DATE:20270105: starts now
OUTPUT
