#!/usr/bin/env bash
# In a vCard, commas and semicolons in the text of an address or a name are escaped with a backslash (RFC
# 6350, 3.4). @covve/easy-vcard 1.1.1 (npm) does not escape them, although a comment in its code says so. So
# in a reader like ical.js 2.2.1, the rest of a street becomes the city, the city becomes the state, and one
# organization becomes an organization and its department. Publishers should leave out semicolons.
#
# Output:
#   street: 12 Mill Road
#   city: Rear
#   state: Cedar Hollow
#   organization: Fire, then Rescue
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @covve/easy-vcard@1.1.1 \
  ical.js@2.2.1 >/dev/null

cat >write.mjs <<'JS'
import easy from '@covve/easy-vcard'
import ICAL from 'ical.js'
const contact = new easy.VCard()
  .setFullName('Ann Lee')
  .addAddress('12 Mill Road; Rear', 'Cedar Hollow', 'NY', '10001', 'USA')
  .addOrganization('Fire; Rescue')
const text = contact.toVcard()
const read = new ICAL.Component(ICAL.parse(text))
const [, , street, city, state] = read.getFirstPropertyValue('adr')
console.log(`street: ${street}\ncity: ${city.trim()}\nstate: ${state}`)
console.log(`organization: ${read.getFirstPropertyValue('org').map((name) => name.trim()).join(', then ')}`)
JS
node write.mjs | tee output

diff output - <<'OUTPUT'
street: 12 Mill Road
city: Rear
state: Cedar Hollow
organization: Fire, then Rescue
OUTPUT
