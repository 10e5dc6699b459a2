#!/usr/bin/env bash
# A rule without WKST counts weeks from Monday, and BYDAY=1TU in a yearly rule without BYMONTH is the first
# Tuesday of the year (RFC 5545, 3.3.10). @progress/kendo-recurrence 1.0.5 (npm), with which Kendo UI
# reads rules, counts weeks from Sunday, so the Sundays of a series every two weeks are in the wrong weeks,
# and shows the first Tuesday of each month. A publisher should write WKST and BYMONTH.
#
# Output, for series from Tuesday, January 5, 2027:
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU: 2027-01-05, 2027-01-17, 2027-01-19 (right: 01-05, 01-10, 01-19)
#   FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO: 2027-01-05, 2027-01-10, 2027-01-19
#   FREQ=YEARLY;BYDAY=1TU: 2027-01-05, 2027-02-02, 2027-03-02 (right: 2027-01-05, 2028-01-04, 2029-01-02)
#   FREQ=YEARLY;BYMONTH=1;BYDAY=1TU: 2027-01-05, 2028-01-04, 2029-01-02
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @progress/kendo-recurrence@1.0.5 \
  @progress/kendo-date-math@1.5.17 tslib@2.9.1 >/dev/null

cat >read.cjs <<'JS'
const { ZonedDate } = require('@progress/kendo-date-math')
const { expand, parseRule } = require('@progress/kendo-recurrence')
const dateOf = (text) => ZonedDate.fromLocalDate(new Date(text), 'Etc/UTC')
const rules = [
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO',
  'FREQ=YEARLY;BYDAY=1TU',
  'FREQ=YEARLY;BYMONTH=1;BYDAY=1TU',
]
for (const recurrenceRule of rules) {
  const rule = parseRule({ recurrenceRule })
  rule.start = dateOf('2027-01-05T19:00:00Z')
  rule.end = dateOf('2027-01-05T21:00:00Z')
  const { events } = expand(rule, { rangeStart: rule.start, rangeEnd: dateOf('2030-01-01T00:00:00Z') })
  const days = events.slice(0, 3).map(({ start }) => new Date(start.getTime()).toISOString().slice(0, 10))
  console.log(`${recurrenceRule}: ${days.join(', ')}`)
}
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU: 2027-01-05, 2027-01-17, 2027-01-19
FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=MO: 2027-01-05, 2027-01-10, 2027-01-19
FREQ=YEARLY;BYDAY=1TU: 2027-01-05, 2027-02-02, 2027-03-02
FREQ=YEARLY;BYMONTH=1;BYDAY=1TU: 2027-01-05, 2028-01-04, 2029-01-02
OUTPUT
