#!/usr/bin/env bash
# A page with an h-event can contain the date and the time in separate elements of class "value", also in
# the form 7pm, or in the title of an abbr element (microformats.org, Value Class Pattern).
# microformats-parser 2.0.6 (npm) reads 12pm as the following midnight, and the text of an abbr element
# instead of its title. microformats-parser and microformat-node 2.0.4 both read 12am as noon. Publishers
# should write a time element whose datetime attribute contains both the date and the time.
#
# Output, for January 5, 2027:
#   <span class="value">7pm</span>: 2027-01-05 19:00 (microformat-node: 2027-01-05 19:00)
#   <span class="value">12pm</span>: 2027-01-05 24:00 (microformat-node: 2027-01-05 12:00)
#   <span class="value">12am</span>: 2027-01-05 12:00 (microformat-node: 2027-01-05 12:00)
#   <abbr class="value" title="19:00">seven</abbr>: 2027-01-05 SEVEN (microformat-node: 2027-01-05 19:00)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . microformats-parser@2.0.6 \
  microformat-node@2.0.4 >/dev/null

cat >read.mjs <<'JS'
import { promisify } from 'node:util'
import node from 'microformat-node'
import { mf2 } from 'microformats-parser'
const get = promisify(node.get.bind(node))
for (const time of [
  '<span class="value">7pm</span>',
  '<span class="value">12pm</span>',
  '<span class="value">12am</span>',
  '<abbr class="value" title="19:00">seven</abbr>'
]) {
  const html = `<div class="h-event"><span class="p-name">Drill</span>
    <span class="dt-start"><span class="value">2027-01-05</span> ${time}</span></div>`
  const [start, other] = [mf2(html, { baseUrl: 'https://www.example.org/' }), await get({ html })].map(
    ({ items: [event] }) => event.properties.start[0]
  )
  console.log(`${time}: ${start} (microformat-node: ${other})`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
<span class="value">7pm</span>: 2027-01-05 19:00 (microformat-node: 2027-01-05 19:00)
<span class="value">12pm</span>: 2027-01-05 24:00 (microformat-node: 2027-01-05 12:00)
<span class="value">12am</span>: 2027-01-05 12:00 (microformat-node: 2027-01-05 12:00)
<abbr class="value" title="19:00">seven</abbr>: 2027-01-05 SEVEN (microformat-node: 2027-01-05 19:00)
OUTPUT
