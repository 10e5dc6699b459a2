#!/usr/bin/env bash
# The UID of an event must be globally unique (RFC 5545, 3.8.4.7): if two events have the same one, a
# calendar replaces the first with the second. calendar-link 2.11.5 (npm), which websites use for "Add to
# calendar" links, writes a random number below 100,000 if the website does not set a UID. So among 400
# events, even from different websites, two are more likely than not to have the same UID. Pass `uid`.
#
# Output:
#   the longest UID of 2,000 events: 5 digits
#   the same UID twice: yes
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . calendar-link@2.11.5 >/dev/null

cat >run.cjs <<'JS'
const { ics } = require('calendar-link')
const ids = Array.from({ length: 2000 }, (_, index) => {
  const event = { title: `Event ${index}`, start: '2027-01-05T19:00:00Z', duration: [1, 'hour'] }
  return /UID:(\d+)\r\n/.exec(decodeURIComponent(ics(event)))[1]
})
console.log(`the longest UID of 2,000 events: ${Math.max(...ids.map((id) => id.length))} digits`)
console.log(`the same UID twice: ${new Set(ids).size < ids.length ? 'yes' : 'no'}`)
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
the longest UID of 2,000 events: 5 digits
the same UID twice: yes
OUTPUT
