#!/usr/bin/env bash
# BYDAY=TU with BYSETPOS=2 is the second Tuesday of a month, like BYDAY=2TU (RFC 5545, 3.3.10). toText in
# rrule 2.8.1 (npm), which websites use to describe a series in words, leaves out BYSETPOS, although
# isFullyConvertibleToText says that the text is complete. So a monthly meeting seems to be every
# Tuesday, and the last working day becomes every working day. The dates themselves are right.
#
# Output, with the text, whether it is complete, and the first two dates:
#   BYDAY=TU;BYSETPOS=2: every month on Tuesday, true, 2027-01-12, 2027-02-09
#   BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: every month on weekdays, true, 2027-01-29, 2027-02-26
#   BYDAY=2TU: every month on the 2nd Tuesday, true, 2027-01-12, 2027-02-09
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 >/dev/null

cat >run.cjs <<'JS'
const { RRule } = require('rrule')
for (const days of ['BYDAY=TU;BYSETPOS=2', 'BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', 'BYDAY=2TU']) {
  const rule = RRule.fromString(`DTSTART:20270101T190000Z\nRRULE:FREQ=MONTHLY;${days}`)
  const dates = rule.all((_date, index) => index < 2).map((date) => date.toISOString().slice(0, 10))
  console.log(`${days}: ${[rule.toText(), rule.isFullyConvertibleToText(), ...dates].join(', ')}`)
}
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
BYDAY=TU;BYSETPOS=2: every month on Tuesday, true, 2027-01-12, 2027-02-09
BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1: every month on weekdays, true, 2027-01-29, 2027-02-26
BYDAY=2TU: every month on the 2nd Tuesday, true, 2027-01-12, 2027-02-09
OUTPUT
