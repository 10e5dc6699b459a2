#!/usr/bin/env bash
# An additional date of a series can be longer or shorter than the others: RDATE;VALUE=PERIOD has a start
# and an end or duration (RFC 5545, 3.8.5.2). ical-expander 3.2.0 (npm), which web calendars use, throws an
# error for it if the series has a rule, so none of the calendar's events appear. A publisher should write
# such a date as a separate event.
#
# Output, for a drill on January 5 and 12 with one more date on January 9, and another event on January 6:
#   RDATE:20270109T090000Z: 5 19:00 Drill, 6 19:00 Meeting, 9 09:00 Drill, 12 19:00 Drill
#   RDATE;VALUE=PERIOD:20270109T090000Z/PT6H: this.ruleDates[0].compare is not a function
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical-expander@3.2.0 >/dev/null

cat >read.cjs <<'JS'
const IcalExpander = require('ical-expander')
const textOf = ({ startDate }, { summary }) => `${startDate.day} ${startDate.toString().slice(11, 16)} ${summary}`
const show = (ics) => {
  try {
    const calendar = new IcalExpander({ ics })
    const { events, occurrences } = calendar.between(new Date('2027-01-01'), new Date('2027-02-01'))
    const texts = [...events.map((event) => textOf(event, event)), ...occurrences.map((date) => textOf(date, date.item))]
    return texts.sort((first, second) => parseInt(first) - parseInt(second)).join(', ')
  } catch (error) {
    return error.message
  }
}
for (const date of ['RDATE:20270109T090000Z', 'RDATE;VALUE=PERIOD:20270109T090000Z/PT6H']) {
  const calendar = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//example//example//EN
BEGIN:VEVENT
UID:1@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270105T190000Z
DTEND:20270105T210000Z
RRULE:FREQ=WEEKLY;COUNT=2
${date}
SUMMARY:Drill
END:VEVENT
BEGIN:VEVENT
UID:2@example.org
DTSTAMP:20260101T000000Z
DTSTART:20270106T190000Z
DTEND:20270106T210000Z
SUMMARY:Meeting
END:VEVENT
END:VCALENDAR
`
  console.log(`${date}: ${show(calendar)}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
RDATE:20270109T090000Z: 5 19:00 Drill, 6 19:00 Meeting, 9 09:00 Drill, 12 19:00 Drill
RDATE;VALUE=PERIOD:20270109T090000Z/PT6H: this.ruleDates[0].compare is not a function
OUTPUT
