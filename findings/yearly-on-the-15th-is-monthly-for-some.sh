#!/usr/bin/env bash
# A yearly rule with BYMONTHDAY=15 but without BYMONTH means the 15th of each month, because BYMONTHDAY
# expands a yearly rule (RFC 5545, 3.3.10). rrule 2.8.1, rrule-temporal 2.2.8 and rrule-rust 3.1.1 (npm)
# show 12 dates a year. ical.js 2.2.1 (npm), which Thunderbird and web calendars use, takes the month
# from DTSTART and shows one. So the same event is yearly in some calendars and monthly in others. A
# publisher should always write BYMONTH.
#
# Output, for FREQ=YEARLY;BYMONTHDAY=15 from June 15, 2027:
#   rrule: 2027-06-15, 2027-07-15, 2027-08-15
#   rrule-temporal: 2027-06-15, 2027-07-15, 2027-08-15
#   rrule-rust: 2027-06-15, 2027-07-15, 2027-08-15
#   ical.js: 2027-06-15, 2028-06-15, 2029-06-15
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  rrule@2.8.1 rrule-temporal@2.2.8 rrule-rust@3.1.1 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
import rrule from 'rrule'
import { RRuleSet } from 'rrule-rust'
import { RRuleTemporal } from 'rrule-temporal'
const rule = 'FREQ=YEARLY;BYMONTHDAY=15;COUNT=3'
const text = `DTSTART:20270615T190000Z\nRRULE:${rule}`
const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString('2027-06-15T19:00:00Z'))
const dates = {
  rrule: rrule.rrulestr(text).all().map((date) => date.toISOString()),
  'rrule-temporal': new RRuleTemporal({ rruleString: text }).all(),
  'rrule-rust': RRuleSet.fromString(text).all().map((date) => date.toDate().toISOString()),
  'ical.js': Array.from({ length: 3 }, () => String(iterator.next())),
}
for (const [name, list] of Object.entries(dates))
  console.log(`${name}: ${list.map((date) => String(date).slice(0, 10)).join(', ')}`)
JS
TZ=UTC node read.mjs | tee output

diff output - <<'OUTPUT'
rrule: 2027-06-15, 2027-07-15, 2027-08-15
rrule-temporal: 2027-06-15, 2027-07-15, 2027-08-15
rrule-rust: 2027-06-15, 2027-07-15, 2027-08-15
ical.js: 2027-06-15, 2028-06-15, 2029-06-15
OUTPUT
