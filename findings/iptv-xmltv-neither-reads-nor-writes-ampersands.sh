#!/usr/bin/env bash
# In XML, an ampersand in text is &amp;, or in a CDATA section (XML 1.0, 2.4). @iptv/xmltv 1.0.1 (npm),
# which programs use to read and write TV schedules, does not decode references, and returns the beginning
# of a CDATA section as text. It also does not escape titles, so one with an ampersand makes the XML
# malformed, and XMLTV's own tools reject the whole schedule; here, xmllint 2.9.14 stands in for them. A
# program has to escape and unescape all text itself.
#
# Output:
#   reads Fish &amp; chips: Fish &amp; chips
#   reads <![CDATA[Fish & chips]]>: ![CDATA[Fish & chips]]
#   writes Fish and chips: accepted
#   writes Fish & chips: xmlParseEntityRef: no name
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @iptv/xmltv@1.0.1 >/dev/null
apt-get download -qq 'libxml2-utils=2.9.14*' 'libxml2=2.9.14*' 'libicu72=72.1-3*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

cat >run.mjs <<'JS'
import { writeFileSync } from 'node:fs'
import { parseXmltv, writeXmltv } from '@iptv/xmltv'
for (const title of ['Fish &amp; chips', '<![CDATA[Fish & chips]]>']) {
  const { programmes } = parseXmltv(`<?xml version="1.0" encoding="UTF-8"?>
<tv>
  <channel id="hall"><display-name>Hall</display-name></channel>
  <programme start="20270105190000 +0000" channel="hall"><title>${title}</title></programme>
</tv>`)
  console.log(`reads ${title}: ${programmes[0].title[0]._value}`)
}
for (const title of ['Fish and chips', 'Fish & chips']) {
  const start = new Date('2027-01-05T19:00:00Z')
  const programmes = [{ start, channel: 'hall', title: [{ _value: title }] }]
  const channels = [{ id: 'hall', displayName: [{ _value: 'Hall' }] }]
  writeFileSync(`${title}.xml`, writeXmltv({ channels, programmes }))
}
JS
{
  node run.mjs
  for title in 'Fish and chips' 'Fish & chips'; do
    root/usr/bin/xmllint --noout --nonet "$title.xml" 2>errors || true
    error=$(sed -n 's/.*parser error : //p' errors)
    echo "writes $title: ${error:-accepted}"
  done
} | tee output

diff output - <<'OUTPUT'
reads Fish &amp; chips: Fish &amp; chips
reads <![CDATA[Fish & chips]]>: ![CDATA[Fish & chips]]
writes Fish and chips: accepted
writes Fish & chips: xmlParseEntityRef: no name
OUTPUT
