#!/usr/bin/env bash
# The order of the days in a rule does not matter: BYMONTHDAY=1,15 and BYMONTHDAY=15,1 are the same series
# (RFC 5545, 3.3.10). The iCalendar plugin of FullCalendar 6.1.21 (npm) gets its occurrences from ical.js
# 1.5.0, the newest version that it accepts, in the order of the list, and stops at the first one after
# the days that it shows. So a week can be empty when its month is not. The same happens with
# BYMONTH=7,1. A publisher should sort such lists.
#
# Output, for dues on the 1st and 15th of each month:
#   BYMONTHDAY=1,15: February has 1, 15, its first week has 1
#   BYMONTHDAY=15,1: February has 15, 1, its first week has nothing
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  @fullcalendar/icalendar@6.1.21 @fullcalendar/core@6.1.21 ical.js@1.5.0 >/dev/null

cat >read.cjs <<'JS'
const { createServer } = require('node:http')
const [{ fetch }] = require('@fullcalendar/icalendar').default.eventSourceDefs
const server = createServer(({ url }, response) =>
  response.end(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART;VALUE=DATE:20270101
RRULE:FREQ=MONTHLY;${url.slice(1)}
SUMMARY:Dues
END:VEVENT
END:VCALENDAR`),
)
server.listen(0, '127.0.0.1', async () => {
  const days = async (rule, start, end) => {
    const url = `http://127.0.0.1:${server.address().port}/${rule}`
    const range = { start: new Date(start), end: new Date(end) }
    const { rawEvents } = await new Promise((resolve, reject) =>
      fetch({ eventSource: { meta: { url, format: 'ics' } }, range }, resolve, reject),
    )
    const dates = rawEvents.map((event) => event.start).filter((date) => date >= start && date < end)
    return dates.map((date) => Number(date.slice(8))).join(', ') || 'nothing'
  }
  for (const rule of ['BYMONTHDAY=1,15', 'BYMONTHDAY=15,1']) {
    const month = await days(rule, '2027-02-01', '2027-03-01')
    const week = await days(rule, '2027-02-01', '2027-02-08')
    console.log(`${rule}: February has ${month}, its first week has ${week}`)
  }
  server.close()
})
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
BYMONTHDAY=1,15: February has 1, 15, its first week has 1
BYMONTHDAY=15,1: February has 15, 1, its first week has nothing
OUTPUT
