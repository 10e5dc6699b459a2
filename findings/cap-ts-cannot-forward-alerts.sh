#!/usr/bin/env bash
# In the Common Alerting Protocol, an alert can have codes, and an area can be a circle or a polygon, or
# only have a name (CAP 1.2, 3.2.1 and 3.2.4). @dec112/cap-ts 0.3.2 (npm) reads such alerts, but expects a
# code to be a list, and expects both lists of shapes. So it throws an error when it writes an alert that
# it has read, unless the alert has no code and each area has a circle and a polygon. Alerts from IPAWS,
# the US alerting system, always have a code. A program has to repair these lists first.
#
# Output, reading and writing an alert:
#   without code and area: written
#   with a code: alert.code_list.forEach is not a function
#   with a circle: Cannot read properties of undefined (reading 'forEach')
#   with a polygon: Cannot read properties of undefined (reading 'forEach')
#   with a circle and a polygon: written
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @dec112/cap-ts@0.3.2 tslib@2.8.1 >/dev/null

cat >forward.cjs <<'JS'
const { CAP_1_2 } = require('@dec112/cap-ts')
const code = '<code>IPAWSv1.0</code>'
const circle = '<circle>42.1,-74.2 5</circle>'
const polygon = '<polygon>42.1,-74.2 42.2,-74.2 42.2,-74.1 42.1,-74.2</polygon>'
const area = (shapes) => `<area><areaDesc>Cedar Hollow</areaDesc>${shapes}</area>`
const alert = (codes, areas) => `<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
  <identifier>1</identifier><sender>chief@example.org</sender><sent>2027-01-05T19:00:00-05:00</sent>
  <status>Exercise</status><msgType>Alert</msgType><scope>Public</scope>${codes}
  <info>
    <category>Fire</category><event>Drill</event><urgency>Immediate</urgency>
    <severity>Minor</severity><certainty>Observed</certainty>${areas}
  </info>
</alert>`
const main = async () => {
  for (const [name, xml] of [
    ['without code and area', alert('', '')],
    ['with a code', alert(code, '')],
    ['with a circle', alert('', area(circle))],
    ['with a polygon', alert('', area(polygon))],
    ['with a circle and a polygon', alert('', area(polygon + circle))],
  ]) {
    const read = await CAP_1_2.Alert.fromXML(xml)
    let result
    try {
      result = read.toXML().includes('<event>Drill</event>') ? 'written' : 'empty'
    } catch (error) {
      result = error.message
    }
    console.log(`${name}: ${result}`)
  }
}
main()
JS
node forward.cjs | tee output

diff output - <<'OUTPUT'
without code and area: written
with a code: alert.code_list.forEach is not a function
with a circle: Cannot read properties of undefined (reading 'forEach')
with a polygon: Cannot read properties of undefined (reading 'forEach')
with a circle and a polygon: written
OUTPUT
