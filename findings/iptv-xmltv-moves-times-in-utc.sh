#!/usr/bin/env bash
# In XMLTV, a time without a time zone is in UTC, and digits at its end can be left out (xmltv.dtd).
# @iptv/xmltv 1.0.1 (npm), which programs use to read TV schedules, treats the last five characters of
# every time as a time zone. Without one, 19:00 becomes 01:00, and without seconds, it becomes the first
# day of the month. A publisher should write the seconds and +0000.
#
# Output:
#   20270105190000 +0000: 2027-01-05T19:00:00.000Z
#   202701051900 +0000: 2027-01-05T19:00:00.000Z
#   20270105190000: 2027-01-05T01:00:00.000Z
#   202701051900: 2027-01-01T00:00:00.000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @iptv/xmltv@1.0.1 >/dev/null

cat >read.mjs <<'JS'
import { parseXmltv } from '@iptv/xmltv'
for (const start of ['20270105190000 +0000', '202701051900 +0000', '20270105190000', '202701051900']) {
  const { programmes } = parseXmltv(`<?xml version="1.0" encoding="UTF-8"?>
<tv>
  <channel id="hall"><display-name>Hall</display-name></channel>
  <programme start="${start}" channel="hall"><title>Parade</title></programme>
</tv>`)
  console.log(`${start}: ${programmes[0].start.toISOString()}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
20270105190000 +0000: 2027-01-05T19:00:00.000Z
202701051900 +0000: 2027-01-05T19:00:00.000Z
20270105190000: 2027-01-05T01:00:00.000Z
202701051900: 2027-01-01T00:00:00.000Z
OUTPUT
