#!/usr/bin/env bash
# In a time zone like America/New_York, clocks are an hour ahead in summer. timeAt in tz-offset 0.0.2
# (npm), by the authors of node-cron, shows a date in a time zone, but uses the winter offset for every
# date. So events and reminders are an hour early from March to November, and in the Southern Hemisphere
# from October to April. The package's README does not mention this. Intl.DateTimeFormat is correct.
#
# Output, for events at 19:00, with the time from tz-offset and from Intl:
#   New York, January 5: 19:00, 19:00
#   New York, July 6: 18:00, 19:00
#   Sydney, January 5: 18:00, 19:00
#   Sydney, July 6: 19:00, 19:00
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . tz-offset@0.0.2 >/dev/null

cat >run.cjs <<'JS'
const { timeAt } = require('tz-offset')
const events = [
  ['New York', 'America/New_York', 'January 5', '2027-01-06T00:00:00Z'],
  ['New York', 'America/New_York', 'July 6', '2027-07-06T23:00:00Z'],
  ['Sydney', 'Australia/Sydney', 'January 5', '2027-01-05T08:00:00Z'],
  ['Sydney', 'Australia/Sydney', 'July 6', '2027-07-06T09:00:00Z'],
]
for (const [city, timeZone, day, time] of events) {
  const date = new Date(time)
  const shown = timeAt(date, timeZone).toISOString().slice(11, 16)
  const right = date.toLocaleTimeString('en-US', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  console.log(`${city}, ${day}: ${shown}, ${right}`)
}
JS
TZ=UTC node run.cjs | tee output

diff output - <<'OUTPUT'
New York, January 5: 19:00, 19:00
New York, July 6: 18:00, 19:00
Sydney, January 5: 18:00, 19:00
Sydney, July 6: 19:00, 19:00
OUTPUT
