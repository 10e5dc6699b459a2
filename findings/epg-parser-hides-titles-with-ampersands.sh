#!/usr/bin/env bash
# In XML, an ampersand in text is &amp;, or part of a CDATA section (XML 1.0, 2.4). epg-parser 0.5.0 (npm),
# which parses TV schedules in XMLTV, escapes every ampersand again before it reads the file, so titles
# contain "&amp;". It ignores CDATA sections, so titles in them are undefined. It also returns null for
# times without a time zone, which are in UTC (xmltv.dtd). A publisher has no way to write an ampersand,
# and should write times with +0000.
#
# Output:
#   Fish and chips, 20270105190000 +0000: Fish and chips, 2027-01-05T19:00:00.000Z
#   Fish &amp; chips, 20270105190000 +0000: Fish &amp; chips, 2027-01-05T19:00:00.000Z
#   <![CDATA[Fish & chips]]>, 20270105190000 +0000: undefined, 2027-01-05T19:00:00.000Z
#   Fish and chips, 20270105190000: Fish and chips, null
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . epg-parser@0.5.0 >/dev/null

cat >read.cjs <<'JS'
const { parse } = require('epg-parser')
for (const [title, start] of [
  ['Fish and chips', '20270105190000 +0000'],
  ['Fish &amp; chips', '20270105190000 +0000'],
  ['<![CDATA[Fish & chips]]>', '20270105190000 +0000'],
  ['Fish and chips', '20270105190000'],
]) {
  const { programs } = parse(`<?xml version="1.0" encoding="UTF-8"?>
<tv>
  <channel id="hall"><display-name>Hall</display-name></channel>
  <programme start="${start}" channel="hall"><title>${title}</title></programme>
</tv>`)
  console.log(`${title}, ${start}: ${programs[0].title[0].value}, ${programs[0].start}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Fish and chips, 20270105190000 +0000: Fish and chips, 2027-01-05T19:00:00.000Z
Fish &amp; chips, 20270105190000 +0000: Fish &amp; chips, 2027-01-05T19:00:00.000Z
<![CDATA[Fish & chips]]>, 20270105190000 +0000: undefined, 2027-01-05T19:00:00.000Z
Fish and chips, 20270105190000: Fish and chips, null
OUTPUT
