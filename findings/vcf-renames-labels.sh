#!/usr/bin/env bash
# A vCard may have private properties, whose names start with X- (RFC 6350, 6.10). Apple labels a number
# or a date with X-ABLabel. vcf 2.1.2 (npm) turns names into camel case and back, so it writes
# X-AB-LABEL, which programs do not know, and the label is lost. It keeps names in all capitals, which mean
# the same (3.3).
#
# Output, for a vCard that was read and written back:
#   X-ABLabel: X-AB-LABEL
#   X-ABShowAs: X-AB-SHOW-AS
#   X-ABLABEL: X-ABLABEL
#   X-SOCIALPROFILE: X-SOCIALPROFILE
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . vcf@2.1.2 >/dev/null

cat >copy.cjs <<'JS'
const VCard = require('vcf')
for (const name of ['X-ABLabel', 'X-ABShowAs', 'X-ABLABEL', 'X-SOCIALPROFILE']) {
  const vcard = `BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Pat Lee\r\nitem1.TEL:555-0100\r\nitem1.${name}:Text\r\nEND:VCARD\r\n`
  console.log(`${name}: ${/item1\.(X-.*):/.exec(new VCard().parse(vcard).toString('4.0'))[1]}`)
}
JS
node copy.cjs | tee output

diff output - <<'OUTPUT'
X-ABLabel: X-AB-LABEL
X-ABShowAs: X-AB-SHOW-AS
X-ABLABEL: X-ABLABEL
X-SOCIALPROFILE: X-SOCIALPROFILE
OUTPUT
