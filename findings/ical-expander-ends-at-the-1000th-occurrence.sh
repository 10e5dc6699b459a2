#!/usr/bin/env bash
# ical-expander 3.2.0 (npm) looks at the first 1,000 occurrences of a series, even if all of them are
# before the requested days, unless the program sets another maximum. The iCalendar plugin of
# FullCalendar 6.1.21 contains a copy without that setting. So a daily series disappears in its third
# year, without an error. A publisher can let a series start at the beginning of the published days.
#
# Output, for a daily series since June 1, 2024:
#   February 25, 2027: open
#   February 26, 2027: nothing
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical-expander@3.2.0 >/dev/null

cat >read.mjs <<'JS'
import IcalExpander from 'ical-expander'
const ics = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20240601T100000Z
DTEND:20240601T160000Z
RRULE:FREQ=DAILY
SUMMARY:open
END:VEVENT
END:VCALENDAR`
const shown = (day) => {
  const { occurrences } = new IcalExpander({ ics }).between(
    new Date(`${day}T00:00:00Z`),
    new Date(`${day}T23:59:59Z`),
  )
  return occurrences.map(({ item }) => item.summary).join() || 'nothing'
}
console.log(`February 25, 2027: ${shown('2027-02-25')}`)
console.log(`February 26, 2027: ${shown('2027-02-26')}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
February 25, 2027: open
February 26, 2027: nothing
OUTPUT
