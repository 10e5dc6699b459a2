#!/usr/bin/env bash
# @breejs/later 4.2.0 (npm), which bree and other programs use to schedule jobs and reminders, counts
# "every 2 weeks" by the number of the week in the year, and starts over with week 1. After a year with 53
# weeks, like 2026, two weeks in a row have an odd number. So a reminder for a meeting every other Tuesday
# comes a week early from January 2027 on. An iCalendar series with INTERVAL=2 continues across the year
# (RFC 5545, 3.3.10). Publishers should schedule reminders by the dates in the calendar.
#
# Output, for every other Tuesday from December 1, 2026:
#   later: 12/1 12/15 12/29 1/5 1/19 2/2
#   FREQ=WEEKLY;INTERVAL=2, ical.js 2.2.1: 12/1 12/15 12/29 1/12 1/26 2/9
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @breejs/later@4.2.0 ical.js@2.2.1 >/dev/null

cat >compare.mjs <<'JS'
import later from '@breejs/later'
import ICAL from 'ical.js'
const schedule = later.parse.text('every 2 weeks on tuesday at 7:00 pm')
if (schedule.error !== -1) throw new Error('not understood')
const reminders = later.schedule(schedule).next(6, new Date('2026-12-01T00:00:00Z'))
console.log(`later: ${reminders.map((day) => `${day.getUTCMonth() + 1}/${day.getUTCDate()}`).join(' ')}`)
const rule = 'FREQ=WEEKLY;INTERVAL=2'
const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString('2026-12-01T19:00:00'))
const meetings = Array.from({ length: 6 }, () => {
  const { month, day } = iterator.next()
  return `${month}/${day}`
})
console.log(`${rule}, ical.js 2.2.1: ${meetings.join(' ')}`)
JS
TZ=UTC node compare.mjs | tee output

diff output - <<'OUTPUT'
later: 12/1 12/15 12/29 1/5 1/19 2/2
FREQ=WEEKLY;INTERVAL=2, ical.js 2.2.1: 12/1 12/15 12/29 1/12 1/26 2/9
OUTPUT
