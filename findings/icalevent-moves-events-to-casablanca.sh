#!/usr/bin/env bash
# A TZID in DTSTART says in which zone the time is (RFC 5545, 3.2.19). icalevent 0.3.2 (npm), which websites
# use to write invitations, writes the time in the server's zone instead, if it is used as in its README. If
# the caller gives no zone, it writes one that fits the server, for example Casablanca if the server is in
# UTC. So events are hours off. Publishers should pass the offset that the zone has at the time of the
# event.
#
# Output, for 19:00 in Chicago on July 5, 2027, on a server in UTC:
#   with timezone: DTSTART;TZID=US/Central:20270706T000000
#   without timezone: DTSTART;TZID=Africa/Casablanca:20270706T000000
#   with timezone and the offset of July in Chicago: DTSTART;TZID=US/Central:20270705T190000
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . icalevent@0.3.2 tzone@0.0.2 >/dev/null

cat >write.mjs <<'JS'
import Event from 'icalevent'
const start = '2027-07-05T19:00:00-05:00'
const offset = new Date().getTimezoneOffset()
const events = {
  'with timezone': { offset, timezone: 'US/Central', start },
  'without timezone': { offset, start },
  'with timezone and the offset of July in Chicago': { offset: 300, timezone: 'US/Central', start }
}
for (const [label, event] of Object.entries(events))
  console.log(`${label}: ${/^DTSTART.*$/m.exec(new Event(event).toFile())[0]}`)
JS
TZ=UTC node write.mjs | tee output

diff output - <<'OUTPUT'
with timezone: DTSTART;TZID=US/Central:20270706T000000
without timezone: DTSTART;TZID=Africa/Casablanca:20270706T000000
with timezone and the offset of July in Chicago: DTSTART;TZID=US/Central:20270705T190000
OUTPUT
