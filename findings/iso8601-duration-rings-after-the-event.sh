#!/usr/bin/env bash
# An event's alarm usually has a negative duration: TRIGGER:-PT15M is 15 minutes before the start (RFC
# 5545, 3.8.6.3 and 3.3.6). iso8601-duration 2.1.4 (npm), which many programs use to read durations, does
# not support the sign, as its README says. But instead of rejecting it, it skips the sign and returns 15
# minutes. So a program that adds the duration to the start reminds people after the event has begun.
# tinyduration 3.4.1 (npm) returns the sign.
#
# Output, for an event at 19:00:
#   iso8601-duration: -PT15M is at 19:15
#   tinyduration: -PT15M is {"minutes":15,"negative":true}
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  iso8601-duration@2.1.4 tinyduration@3.4.1 >/dev/null

cat >read.cjs <<'JS'
const { end, parse } = require('iso8601-duration')
const trigger = '-PT15M'
const alarm = end(parse(trigger), new Date('2027-01-05T19:00:00Z'))
console.log(`iso8601-duration: ${trigger} is at ${alarm.toISOString().slice(11, 16)}`)
console.log(`tinyduration: ${trigger} is ${JSON.stringify(require('tinyduration').parse(trigger))}`)
JS
TZ=UTC node read.cjs | tee output

diff output - <<'OUTPUT'
iso8601-duration: -PT15M is at 19:15
tinyduration: -PT15M is {"minutes":15,"negative":true}
OUTPUT
