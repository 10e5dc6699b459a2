#!/usr/bin/env bash
# BYMONTHDAY=-2 is the second-to-last day of a month (RFC 5545, 3.3.10). toText in rrule-temporal 2.2.8
# (npm), which websites use to describe a series in words, calls every negative day the last day. It also
# omits the weekdays of a series that is on working days every other week. The dates themselves are
# right. So a website should show the next dates beside such a text.
#
# Output, with the text and the first two dates:
#   FREQ=MONTHLY;BYMONTHDAY=-2: every month on the last day of the month at 7 PM UTC, 2027-01-30, 2027-02-27
#   FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR: every weekday at 7 PM UTC, 2027-01-04, 2027-01-05
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR: every 2 weeks at 7 PM UTC, 2027-01-04, 2027-01-05
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule-temporal@2.2.8 >/dev/null

cat >run.mjs <<'JS'
import { RRuleTemporal } from 'rrule-temporal'
import { toText } from 'rrule-temporal/totext'
const days = 'BYDAY=MO,TU,WE,TH,FR'
for (const text of ['FREQ=MONTHLY;BYMONTHDAY=-2', `FREQ=WEEKLY;${days}`, `FREQ=WEEKLY;INTERVAL=2;${days}`]) {
  const rule = new RRuleTemporal({ rruleString: `DTSTART:20270104T190000Z\nRRULE:${text}` })
  const dates = rule.all((_date, index) => index < 2).map((date) => date.toString().slice(0, 10))
  console.log(`${text}: ${[toText(rule), ...dates].join(', ')}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
FREQ=MONTHLY;BYMONTHDAY=-2: every month on the last day of the month at 7 PM UTC, 2027-01-30, 2027-02-27
FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR: every weekday at 7 PM UTC, 2027-01-04, 2027-01-05
FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR: every 2 weeks at 7 PM UTC, 2027-01-04, 2027-01-05
OUTPUT
