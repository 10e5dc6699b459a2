#!/usr/bin/env bash
# A parameter ends with a semicolon, and the value of the property follows the first colon outside
# quotation marks (RFC 5545, 3.1). ical-toolkit 1.0.9 (npm), which programs use to write invitations, puts
# a colon after SENT-BY, the person who sends an invitation on behalf of somebody else. So the name and the
# rest of the line become the value, and replies have no address. Programs that send invitations on behalf
# of others should omit sentBy.
#
# Output, from ical.js 2.2.1:
#   without sentBy: mailto:chief@example.org
#   with sentBy: CN="Chief":mailto:chief@example.org
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical-toolkit@1.0.9 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import ICAL from 'ical.js'
import toolkit from 'ical-toolkit'
const organizer = { name: 'Chief', email: 'chief@example.org' }
for (const [name, sender] of [
  ['without sentBy', organizer],
  ['with sentBy', { ...organizer, sentBy: 'clerk@example.org' }],
]) {
  const builder = toolkit.createIcsFileBuilder()
  builder.method = 'REQUEST'
  builder.spacers = false
  builder.events.push({
    start: new Date('2027-01-05T19:00:00Z'),
    end: new Date('2027-01-05T21:00:00Z'),
    summary: 'Officers’ meeting',
    organizer: sender,
  })
  const event = new ICAL.Component(ICAL.parse(builder.toString())).getFirstSubcomponent('vevent')
  console.log(`${name}: ${event.getFirstPropertyValue('organizer')}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
without sentBy: mailto:chief@example.org
with sentBy: CN="Chief":mailto:chief@example.org
OUTPUT
