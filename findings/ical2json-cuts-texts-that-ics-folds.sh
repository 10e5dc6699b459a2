#!/usr/bin/env bash
# A long line is folded: it continues on the next line, which starts with a space or a tab (RFC 5545,
# 3.1). ics 3.12.0 (npm), which websites use to write calendars, folds with a tab. ical2json 5.0.0 and
# ics-parser 0.1.5 (npm) join only lines that start with a space, and drop the others without an error. So
# everything after the first line of a description is missing. If lines are folded with a space, the
# description is complete.
#
# Output, with the length of a description of 240 characters:
#   folded with a tab, as ics does: ical2json 63, ics-parser 63
#   folded with a space: ical2json 240, ics-parser 240
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ics@3.12.0 ical2json@5.0.0 ics-parser@0.1.5 >/dev/null

cat >run.cjs <<'JS'
const ical2json = require('ical2json')
const { createEvent } = require('ics')
const parse = require('ics-parser')
const description = 'Drill'.repeat(48)
const { value } = createEvent({ title: 'Drill', start: [2027, 1, 5, 19, 0], duration: { hours: 2 }, description })
const calendars = { 'a tab, as ics does': value, 'a space': value.replaceAll('\r\n\t', '\r\n ') }
for (const [name, calendar] of Object.entries(calendars)) {
  const [{ VEVENT: [event] }] = ical2json.convert(calendar).VCALENDAR
  const lengths = [event.DESCRIPTION.length, parse(calendar)[0].description.length]
  console.log(`folded with ${name}: ical2json ${lengths[0]}, ics-parser ${lengths[1]}`)
}
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
folded with a tab, as ics does: ical2json 63, ics-parser 63
folded with a space: ical2json 240, ics-parser 240
OUTPUT
