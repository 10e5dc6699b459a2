#!/usr/bin/env bash
# The value of a vCard property follows the first colon outside quotation marks (RFC 6350, 3.3). vcard
# 0.1.0 (npm) returns only the part up to the next colon. If a property of version 4 has a TYPE, it returns
# the part after that colon, which is right for tel:, but an email address has no such part. So a version 4
# contact has no email address, and links are just "https". If there are several addresses, it keeps only
# one.
#
# Output:
#   4.0 EMAIL;TYPE=work:ann@example.org: {"type":["work"]}
#   4.0 TEL;VALUE=uri;TYPE=work:tel:+1-202-555-0100: {"type":["work"],"value":"+1-202-555-0100"}
#   4.0 URL:https://www.example.org/: "https"
#   3.0 EMAIL;TYPE=WORK:ann@example.org: {"type":["WORK"],"value":"ann@example.org"}
#   3.0 NOTE:Office hours: 9 to 5: "Office hours"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcard@0.1.0 >/dev/null

cat >read.cjs <<'JS'
const VCard = require('vcard')
console.info = () => {}
for (const [version, line] of [
  ['4.0', 'EMAIL;TYPE=work:ann@example.org'],
  ['4.0', 'TEL;VALUE=uri;TYPE=work:tel:+1-202-555-0100'],
  ['4.0', 'URL:https://www.example.org/'],
  ['3.0', 'EMAIL;TYPE=WORK:ann@example.org'],
  ['3.0', 'NOTE:Office hours: 9 to 5'],
]) {
  const lines = ['BEGIN:VCARD', `VERSION:${version}`, 'FN:Ann Lee', 'N:Lee;Ann;;;', line, 'END:VCARD', '']
  new VCard().readData(lines.join('\r\n'), (error, contact) => {
    const name = /^\w+/.exec(line)[0]
    console.log(`${version} ${line}: ${error ?? JSON.stringify(contact[name])}`)
  })
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
4.0 EMAIL;TYPE=work:ann@example.org: {"type":["work"]}
4.0 TEL;VALUE=uri;TYPE=work:tel:+1-202-555-0100: {"type":["work"],"value":"+1-202-555-0100"}
4.0 URL:https://www.example.org/: "https"
3.0 EMAIL;TYPE=WORK:ann@example.org: {"type":["WORK"],"value":"ann@example.org"}
3.0 NOTE:Office hours: 9 to 5: "Office hours"
OUTPUT
