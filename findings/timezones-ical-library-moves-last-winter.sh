#!/usr/bin/env bash
# A VTIMEZONE has the rules for all dates of the calendar (RFC 5545, 3.6.5). timezones-ical-library 2.3.2
# (npm), from which add-to-calendar-button and others get time zones, contains only the latest rules,
# starting in 1970, and its function for the offset on a date uses them for every date. Vancouver and
# Edmonton stopped changing their clocks in 2026, Mexico in 2022. So events before that, and series that
# began before it, are an hour off. Publishers should write past events in UTC.
#
# Output, with the offset that Node knows:
#   America/Vancouver 2025-12-15: -0700 instead of -0800
#   America/Edmonton 2025-12-15: -0600 instead of -0700
#   America/Mexico_City 2022-07-15: -0600 instead of -0500
#   America/New_York 2025-12-15: -0500 instead of -0500
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . timezones-ical-library@2.3.2 >/dev/null

cat >compare.cjs <<'JS'
const { tzlib_get_offset } = require('timezones-ical-library')
for (const [timeZone, date] of [
  ['America/Vancouver', '2025-12-15'],
  ['America/Edmonton', '2025-12-15'],
  ['America/Mexico_City', '2022-07-15'],
  ['America/New_York', '2025-12-15'],
]) {
  const known = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(`${date}T18:00:00Z`))
    .find(({ type }) => type === 'timeZoneName')
    .value.replace(/GMT|:/g, '')
  console.log(`${timeZone} ${date}: ${tzlib_get_offset(timeZone, date, '12:00')} instead of ${known}`)
}
JS
node compare.cjs | tee output

diff output - <<'OUTPUT'
America/Vancouver 2025-12-15: -0700 instead of -0800
America/Edmonton 2025-12-15: -0600 instead of -0700
America/Mexico_City 2022-07-15: -0600 instead of -0500
America/New_York 2025-12-15: -0500 instead of -0500
OUTPUT
