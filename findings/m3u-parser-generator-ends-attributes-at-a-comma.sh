#!/usr/bin/env bash
# In a playlist, a text in quotation marks may contain a comma (RFC 8216, 4.2). m3u-parser-generator 5.0.2
# (npm) writes such attributes of a channel, but ends them at the comma when it reads them. So the title
# begins in the middle of an attribute, and attributes after it, such as the group, are lost.
#
# Output, for a channel that it has written and read, with its title and group:
#   tvg-name="News": News, group City
#   tvg-name="News, Weather": Weather" group-title="City",News, group none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . m3u-parser-generator@5.0.2 >/dev/null

cat >copy.cjs <<'JS'
const { M3uMedia, M3uParser, M3uPlaylist } = require('m3u-parser-generator')
for (const name of ['News', 'News, Weather']) {
  const channel = new M3uMedia('https://www.example.org/news.m3u8')
  channel.name = 'News'
  channel.attributes = { 'tvg-name': name, 'group-title': 'City' }
  const playlist = new M3uPlaylist()
  playlist.medias.push(channel)
  const [copy] = new M3uParser().parse(playlist.getM3uString()).medias
  console.log(`tvg-name="${name}": ${copy.name.trim()}, group ${copy.attributes['group-title'] ?? 'none'}`)
}
JS
node copy.cjs | tee output

diff output - <<'OUTPUT'
tvg-name="News": News, group City
tvg-name="News, Weather": Weather" group-title="City",News, group none
OUTPUT
