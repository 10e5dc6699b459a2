#!/usr/bin/env bash
# A line with #EXTINF has a length in seconds, which can be a fraction, a comma and a title (RFC 8216,
# 4.3.2.1). playlist-parser 0.0.12 (npm) wants a whole number, and an artist and a hyphen before the title.
# Otherwise the length is 0, and the real one is shown at the beginning of the title. Publishers should
# round lengths, and write their own name before a title.
#
# Output, with the length and the title that it returns:
#   124,Fire Department - Council: 124, Council
#   124,Council: 0, 124,Council
#   123.5,Fire Department - Council: 0, 123.5,Fire Department - Council
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . playlist-parser@0.0.12 >/dev/null

cat >read.cjs <<'JS'
const { M3U } = require('playlist-parser')
const infos = ['124,Fire Department - Council', '124,Council', '123.5,Fire Department - Council']
const lines = infos.map((info) => `#EXTINF:${info}\nhttps://www.example.org/council.mp3\n`)
const items = M3U.parse(`#EXTM3U\n${lines.join('')}`)
for (const [index, { length, title }] of items.entries()) console.log(`${infos[index]}: ${length}, ${title}`)
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
124,Fire Department - Council: 124, Council
124,Council: 0, 124,Council
123.5,Fire Department - Council: 0, 123.5,Fire Department - Council
OUTPUT
