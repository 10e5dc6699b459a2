#!/usr/bin/env bash
# In a URL, a number sign starts the fragment, which is not part of the data of a data: URL (RFC 3986,
# 3.5). @culturehq/add-to-calendar 1.1.2 (npm), a React button that adds an event to Apple Calendar and
# Outlook, puts the calendar in such a URL with encodeURI, which does not escape the sign. So the file for
# an event at "Station #2" ends in the middle of a line, and ical.js 2.2.1 rejects it. A publisher can
# avoid this by linking to a file.
#
# Output:
#   Drill at Station 2: 10 lines, ical.js reads 1 event
#   Drill at Station #2: 6 lines, ical.js: component began but did not end
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --legacy-peer-deps --prefix . \
  @culturehq/add-to-calendar@1.1.2 ical.js@2.2.1 >/dev/null

cat >read.mjs <<'JS'
import ICAL from 'ical.js'
import urls from '@culturehq/add-to-calendar/dist/makeUrls.js'
for (const name of ['Drill at Station 2', 'Drill at Station #2']) {
  const { ics } = urls.default({
    name,
    details: 'Bring gear.',
    location: 'Rear bay',
    startsAt: '2027-01-05T19:00:00Z',
    endsAt: '2027-01-05T21:00:00Z',
  })
  const text = await (await fetch(ics)).text()
  let result
  try {
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
    result = ` reads ${events.length} event`
  } catch (error) {
    result = `: ${error.message.replace('invalid ical body. ', '')}`
  }
  console.log(`${name}: ${text.split('\n').length} lines, ical.js${result}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
Drill at Station 2: 10 lines, ical.js reads 1 event
Drill at Station #2: 6 lines, ical.js: component began but did not end
OUTPUT
