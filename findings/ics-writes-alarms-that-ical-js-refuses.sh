#!/usr/bin/env bash
# An alarm at the start of an event has the trigger PT0S, because a duration needs at least one number
# (RFC 5545, 3.3.6). For zero minutes, ics 3.12.0 and ikalendar 1.5.0 (npm) write no number, and ical.js
# 2.2.1 (npm), which Thunderbird and web calendars use, throws an error. So a reminder exactly at the
# start is lost. Other numbers of minutes are written correctly, and a reminder one second earlier works.
#
# Output, with the trigger as it is written and as ical.js reads it:
#   ics, 0 minutes: -PT, not read: invalid duration value: Not enough duration components in ""
#   ics, 1 second: -PT1S, read as -PT1S
#   ikalendar, 0 minutes: -P, not read: invalid duration value: Not enough duration components in ""
#   ikalendar, 1 second: -PT1S, read as -PT1S
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics@3.12.0 ikalendar@1.5.0 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import ICAL from 'ical.js'
import { createEvent } from 'ics'
import { Builder } from 'ikalendar'
const libraries = {
  ics: (time) => {
    const alarms = [{ action: 'display', description: 'Drill', trigger: { before: true, ...time } }]
    return createEvent({ title: 'Drill', start: [2027, 1, 5, 19, 0], duration: { hours: 2 }, alarms }).value
  },
  ikalendar: (time) => {
    const alarms = [{ action: 'DISPLAY', description: 'Drill', trigger: { value: { isNegative: true, ...time } } }]
    const event = { uid: '1@example.org', start: '20270105T190000Z', summary: 'Drill', alarms }
    return new Builder({ version: '2.0', prodId: '-//example//example//EN', events: [event] }).build()
  },
}
const readTrigger = (calendar) => {
  try {
    const event = new ICAL.Component(ICAL.parse(calendar)).getFirstSubcomponent('vevent')
    return `read as ${event.getFirstSubcomponent('valarm').getFirstPropertyValue('trigger')}`
  } catch (error) {
    return `not read: ${error.message}`
  }
}
for (const [name, write] of Object.entries(libraries))
  for (const time of [{ minutes: 0 }, { seconds: 1 }]) {
    const calendar = write(time)
    const [[unit, number]] = Object.entries(time)
    const [, trigger] = /TRIGGER:(.*)/.exec(calendar)
    console.log(`${name}, ${number} ${number === 1 ? unit.slice(0, -1) : unit}: ${trigger}, ${readTrigger(calendar)}`)
  }
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
ics, 0 minutes: -PT, not read: invalid duration value: Not enough duration components in ""
ics, 1 second: -PT1S, read as -PT1S
ikalendar, 0 minutes: -P, not read: invalid duration value: Not enough duration components in ""
ikalendar, 1 second: -PT1S, read as -PT1S
OUTPUT
