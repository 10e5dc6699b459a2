#!/usr/bin/env bash
# The value of URL and PHOTO is a URI, not text, so its commas get no backslash (RFC 2426, 3.6.8 and 4).
# vcards-js 2.11.1 (npm), which websites use to offer contacts, writes a backslash before each comma.
# ical.js 2.2.1 (npm), which Thunderbird and other programs use to read them, keeps it in version 3.0,
# the default of vcards-js. So maps and other pages with a comma in their URL don't open. Write %2C
# instead.
#
# Output, with the address that is read:
#   https://www.example.org/map?at=40.7,-74.0: https://www.example.org/map?at=40.7\,-74.0
#   https://www.example.org/map?at=40.7%2C-74.0: https://www.example.org/map?at=40.7%2C-74.0
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcards-js@2.11.1 ical.js@2.2.1 >/dev/null

cat >run.mjs <<'JS'
import { createRequire } from 'node:module'
import ICAL from 'ical.js'
const vCard = createRequire(import.meta.url)('vcards-js')
for (const address of ['https://www.example.org/map?at=40.7,-74.0', 'https://www.example.org/map?at=40.7%2C-74.0']) {
  const card = vCard()
  card.firstName = 'Pat'
  card.lastName = 'Lee'
  card.url = address
  const read = new ICAL.Component(ICAL.parse(card.getFormattedString()))
  console.log(`${address}: ${read.getFirstPropertyValue('url')}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
https://www.example.org/map?at=40.7,-74.0: https://www.example.org/map?at=40.7\,-74.0
https://www.example.org/map?at=40.7%2C-74.0: https://www.example.org/map?at=40.7%2C-74.0
OUTPUT
