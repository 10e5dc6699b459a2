#!/usr/bin/env bash
# The value of a time element is its attribute datetime, or else its text (HTML Standard, 5.2.4 and
# 4.5.14). microdata-node 2.0.0 (npm), which reads the schema.org data of pages, returns an empty string if
# there is no attribute, so an event has no date. Publishers should write the attribute, even if it is the
# same as the text.
#
# Output, for a start without and with the attribute:
#   <time itemprop="startDate">2027-01-05</time>: ""
#   <time itemprop="startDate" datetime="2027-01-05">2027-01-05</time>: "2027-01-05"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . microdata-node@2.0.0 >/dev/null

cat >read.cjs <<'JS'
const { toJson } = require('microdata-node')
for (const attribute of ['', ' datetime="2027-01-05"']) {
  const time = `<time itemprop="startDate"${attribute}>2027-01-05</time>`
  const event = `<p itemscope itemtype="https://schema.org/Event"><b itemprop="name">Drill</b> ${time}</p>`
  const { items } = toJson(event, { base: 'https://www.example.org/' })
  console.log(`${time}: ${JSON.stringify(items[0].properties.startDate[0])}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
<time itemprop="startDate">2027-01-05</time>: ""
<time itemprop="startDate" datetime="2027-01-05">2027-01-05</time>: "2027-01-05"
OUTPUT
