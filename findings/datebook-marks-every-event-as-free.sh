#!/usr/bin/env bash
# An event is busy time unless it is marked otherwise: the default of TRANSP is OPAQUE (RFC 5545,
# 3.8.2.7). datebook 8.0.1 (npm), which websites use for "Add to calendar" links, writes
# TRANSP:TRANSPARENT into every event, even those with times. So anyone who adds a meeting appears free
# to their colleagues. There is no option to change this, and addProperty adds a second TRANSP, which RFC
# 5545 does not allow (3.6.1).
#
# Output, for a meeting from 19:00 to 21:00:
#   as it is: TRANSP:TRANSPARENT
#   with addProperty('TRANSP', 'OPAQUE'): TRANSP:TRANSPARENT, TRANSP:OPAQUE
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . datebook@8.0.1 >/dev/null

cat >run.cjs <<'JS'
const { ICalendar } = require('datebook')
const meeting = () =>
  new ICalendar({
    title: 'Meeting',
    start: new Date('2027-01-05T19:00Z'),
    end: new Date('2027-01-05T21:00Z'),
  })
const lines = (calendar) => calendar.render().match(/^TRANSP:\w+/gm).join(', ')
console.log(`as it is: ${lines(meeting())}`)
console.log(`with addProperty('TRANSP', 'OPAQUE'): ${lines(meeting().addProperty('TRANSP', 'OPAQUE'))}`)
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
as it is: TRANSP:TRANSPARENT
with addProperty('TRANSP', 'OPAQUE'): TRANSP:TRANSPARENT, TRANSP:OPAQUE
OUTPUT
