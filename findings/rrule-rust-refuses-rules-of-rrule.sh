#!/usr/bin/env bash
# The number before a weekday may have a plus sign: BYDAY=+1TU is the first Tuesday of a month (RFC 5545,
# 3.3.10). rrule 2.8.1 (npm), which many programs use to write rules, always writes the sign. rrule-rust
# 3.1.1 (npm), which has the same classes and is faster, throws an error. So a program that switches from
# rrule to rrule-rust, or reads feeds that rrule wrote, can't read monthly series. A publisher should
# leave out the sign.
#
# Output:
#   rrule writes: FREQ=MONTHLY;BYDAY=+1TU
#   rrule-rust reads FREQ=MONTHLY;BYDAY=+1TU: Invalid BYDAY value: +1TU
#   rrule-rust reads FREQ=MONTHLY;BYDAY=1TU: 20270105T190000Z, 20270202T190000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rrule@2.8.1 rrule-rust@3.1.1 >/dev/null

cat >run.cjs <<'JS'
const { RRule } = require('rrule')
const { RRuleSet } = require('rrule-rust')
const rule = RRule.optionsToString({ freq: RRule.MONTHLY, byweekday: [RRule.TU.nth(1)] }).replace('RRULE:', '')
console.log(`rrule writes: ${rule}`)
for (const text of [rule, rule.replace('+', '')]) {
  let result
  try {
    const set = RRuleSet.fromString(`DTSTART:20270105T190000Z\nRRULE:${text};COUNT=2`)
    result = set.all().join(', ')
  } catch (error) {
    result = error.message
  }
  console.log(`rrule-rust reads ${text}: ${result}`)
}
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
rrule writes: FREQ=MONTHLY;BYDAY=+1TU
rrule-rust reads FREQ=MONTHLY;BYDAY=+1TU: Invalid BYDAY value: +1TU
rrule-rust reads FREQ=MONTHLY;BYDAY=1TU: 20270105T190000Z, 20270202T190000Z
OUTPUT
