#!/usr/bin/env bash
# ORG has components: the name of the organization, then its units, with semicolons between them
# (RFC 6350, 6.6.4). vcard4-ts 0.4.1 (npm), which splits N and ADR, returns ORG as one name. It also
# removes the backslash before a semicolon, which then looks like one between components.
#
# Output:
#   ORG:Fire District 9;Station 2: ["Fire District 9;Station 2"]
#   ORG:Smith\; Sons;Sales: ["Smith; Sons;Sales"]
#   N:Lee;Pat;;;: Lee, Pat
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcard4-ts@0.4.1 >/dev/null

cat >read.cjs <<'JS'
const { parseVCards } = require('vcard4-ts')
const read = (line) =>
  parseVCards(`BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Pat Lee\r\n${line}\r\nEND:VCARD\r\n`).vCards[0]
for (const line of ['ORG:Fire District 9;Station 2', String.raw`ORG:Smith\; Sons;Sales`])
  console.log(`${line}: ${JSON.stringify(read(line).ORG[0].value)}`)
const { familyNames, givenNames } = read('N:Lee;Pat;;;').N.value
console.log(`N:Lee;Pat;;;: ${familyNames}, ${givenNames}`)
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
ORG:Fire District 9;Station 2: ["Fire District 9;Station 2"]
ORG:Smith\; Sons;Sales: ["Smith; Sons;Sales"]
N:Lee;Pat;;;: Lee, Pat
OUTPUT
