#!/usr/bin/env bash
# In New York, clocks go forward on the second Sunday in March, and in London on the last one. spacetime
# 7.15.0 (npm), a library for time zones, contains the dates for 2026 instead of such rules, and uses
# March 8 and March 29 in every year. So times are wrong on some days in other years, 12 of them in 2027.
# Its README says that it applies the latest information to historical dates, but this also affects
# events in the coming spring and fall.
#
# Output:
#   New York, March 10, 2027, 12:00 UTC: spacetime 08:00, Intl 07:00
#   New York, March 15, 2027, 12:00 UTC: spacetime 08:00, Intl 08:00
#   hours with a difference in New York: 2026: 0, 2027: 288
#   hours with a difference in London: 2026: 0, 2027: 168
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . spacetime@7.15.0 >/dev/null

cat >run.cjs <<'JS'
const spacetime = require('spacetime')
const intlOf = (timeZone) => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return (time) => format.format(time)
}
const timeOf = (timeZone) => (time) => spacetime(time, timeZone).format('{hour-24-pad}:{minute-pad}')
const zones = { 'New York': 'America/New_York', London: 'Europe/London' }

for (const day of [10, 15]) {
  const time = Date.UTC(2027, 2, day, 12)
  const [own, intl] = [timeOf, intlOf].map((of) => of(zones['New York'])(time))
  console.log(`New York, March ${day}, 2027, 12:00 UTC: spacetime ${own}, Intl ${intl}`)
}
for (const [city, zone] of Object.entries(zones)) {
  const [own, intl] = [timeOf(zone), intlOf(zone)]
  const counts = [2026, 2027].map((year) => {
    const hours = Array.from({ length: 8760 }, (_, index) => Date.UTC(year, 0, 1, index))
    return `${year}: ${hours.filter((time) => own(time) !== intl(time)).length}`
  })
  console.log(`hours with a difference in ${city}: ${counts.join(', ')}`)
}
JS
TZ=UTC node run.cjs | tee output

diff output - <<'OUTPUT'
New York, March 10, 2027, 12:00 UTC: spacetime 08:00, Intl 07:00
New York, March 15, 2027, 12:00 UTC: spacetime 08:00, Intl 08:00
hours with a difference in New York: 2026: 0, 2027: 288
hours with a difference in London: 2026: 0, 2027: 168
OUTPUT
