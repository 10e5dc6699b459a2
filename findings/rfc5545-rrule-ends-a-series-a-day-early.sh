#!/usr/bin/env bash
# In the rule of an all-day event, UNTIL is a date without a time (RFC 5545, 3.3.10). rfc5545-rrule 1.1.1
# (npm), which reads and writes rules, treats it as midnight in the time zone of the server, and writes
# that in UTC. East of Greenwich this is on the day before, so other programs no longer show the last
# date. Publishers should use COUNT, which it does not change.
#
# Output, for Tuesdays from January 5, 2027, by the time zone of the server, with the dates of ical.js:
#   before: UNTIL=20270119: 1/5, 1/12, 1/19
#   Europe/Berlin: UNTIL=20270118T230000Z: 1/5, 1/12
#   America/New_York: UNTIL=20270119T050000Z: 1/5, 1/12, 1/19
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rfc5545-rrule@1.1.1 \
  ical.js@2.2.1 >/dev/null

cat >copy.mjs <<'JS'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
const { RRule } = createRequire(import.meta.url)('rfc5545-rrule')
const before = 'FREQ=WEEKLY;UNTIL=20270119;BYDAY=TU'
const label = process.argv[2]
const after = RRule.fromString(`RRULE:${before}`).toString().replace('RRULE:', '')
const rule = label === 'before' ? before : after
const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromDateString('2027-01-05'))
const days = []
for (let day = iterator.next(); day; day = iterator.next()) days.push(`${day.month}/${day.day}`)
console.log(`${label}: ${/UNTIL=\w+/.exec(rule)[0]}: ${days.join(', ')}`)
JS
for zone in before Europe/Berlin America/New_York; do
  TZ=${zone/before/UTC} node copy.mjs "$zone"
done | tee output

diff output - <<'OUTPUT'
before: UNTIL=20270119: 1/5, 1/12, 1/19
Europe/Berlin: UNTIL=20270118T230000Z: 1/5, 1/12
America/New_York: UNTIL=20270119T050000Z: 1/5, 1/12, 1/19
OUTPUT
