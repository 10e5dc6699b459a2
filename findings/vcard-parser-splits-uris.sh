#!/usr/bin/env bash
# A semicolon separates the fields of compound properties such as N and ADR, but not of others (RFC 6350,
# 3.4). vcard-parser 1.0.0 (npm) splits every value at it. The photo of a vCard 4.0, a data: URI, becomes
# two pieces, and a tel: URI loses its extension.
#
# Output:
#   photo: ["data:image/png","base64,iVBORw0KGgo="]
#   tel: ["tel:+1-555-0100","ext=5"]
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcard-parser@1.0.0 >/dev/null

cat >read.cjs <<'JS'
const vCard = require('vcard-parser')
const lines = [
  'BEGIN:VCARD',
  'VERSION:4.0',
  'FN:Pat Lee',
  'PHOTO:data:image/png;base64,iVBORw0KGgo=',
  'TEL;VALUE=uri:tel:+1-555-0100;ext=5',
  'END:VCARD',
  '',
]
const { photo, tel } = vCard.parse(lines.join('\r\n'))
console.log(`photo: ${JSON.stringify(photo[0].value)}`)
console.log(`tel: ${JSON.stringify(tel[0].value)}`)
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
photo: ["data:image/png","base64,iVBORw0KGgo="]
tel: ["tel:+1-555-0100","ext=5"]
OUTPUT
