#!/usr/bin/env bash
# A vCard 4.0 may contain properties that were registered later (RFC 6350, 3.3 and 10.2), which readers
# skip. vcard4 4.0.5 (npm) refuses the whole vCard because of the properties of RFC 9554 (2024), and
# because of SORT-AS, which RFC 6350 itself defines (5.9). It accepts those that start with X-.
#
# Output, for vCards with one more line:
#   X-PRONOUNS:they: read
#   PRONOUNS:they: vCard has unknown property: PRONOUNS
#   CREATED:20260101T000000Z: vCard has unknown property: CREATED
#   ORG;SORT-AS=Berg:van der Berg: vCard has unknown parameter: SORT-AS, on ORG property
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcard4@4.0.5 >/dev/null

cat >read.mjs <<'JS'
import { parse } from 'vcard4'
const lines = [
  'X-PRONOUNS:they',
  'PRONOUNS:they',
  'CREATED:20260101T000000Z',
  'ORG;SORT-AS=Berg:van der Berg',
]
for (const line of lines) {
  let result = 'read'
  try {
    parse(['BEGIN:VCARD', 'VERSION:4.0', 'FN:Pat Lee', line, 'END:VCARD', ''].join('\r\n'))
  } catch (error) {
    result = error.message
  }
  console.log(`${line}: ${result}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
X-PRONOUNS:they: read
PRONOUNS:they: vCard has unknown property: PRONOUNS
CREATED:20260101T000000Z: vCard has unknown property: CREATED
ORG;SORT-AS=Berg:van der Berg: vCard has unknown parameter: SORT-AS, on ORG property
OUTPUT
