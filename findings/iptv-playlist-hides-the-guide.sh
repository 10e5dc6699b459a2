#!/usr/bin/env bash
# The first line of an M3U playlist can contain x-tvg-url with the URL of its XMLTV guide (README of
# iptv-playlist-parser). @iptv/playlist 1.2.1 (npm), which programs use to read and write such playlists,
# writes it as xTvgUrl, even if it has just read it, so readers like iptv-playlist-parser 0.15.2 do not find
# the guide. It also drops options like the user agent. Publishers should write the first line themselves.
#
# Output, for a playlist that @iptv/playlist has read and written:
#   before: guide https://www.example.org/guide.xml, user agent Lobby/1.0
#   #EXTM3U x-tvg-url="https://www.example.org/guide.xml"
#   after: guide none, user agent none
#   #EXTM3U xTvgUrl="https://www.example.org/guide.xml"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @iptv/playlist@1.2.1 \
  iptv-playlist-parser@0.15.2 >/dev/null

cat >copy.mjs <<'JS'
import { parseM3U, writeM3U } from '@iptv/playlist'
import parser from 'iptv-playlist-parser'
const before = `#EXTM3U x-tvg-url="https://www.example.org/guide.xml"
#EXTINF:-1 tvg-id="lobby.example.org",Lobby
#EXTVLCOPT:http-user-agent=Lobby/1.0
https://www.example.org/lobby.m3u8
`
for (const [label, playlist] of [['before', before], ['after', writeM3U(parseM3U(before))]]) {
  const { header, items } = parser.parse(playlist)
  const [guide, agent] = [header.attrs['x-tvg-url'], items[0].http['user-agent']]
  console.log(`${label}: guide ${guide || 'none'}, user agent ${agent || 'none'}`)
  console.log(playlist.split('\n')[0])
}
JS
node copy.mjs | tee output

diff output - <<'OUTPUT'
before: guide https://www.example.org/guide.xml, user agent Lobby/1.0
#EXTM3U x-tvg-url="https://www.example.org/guide.xml"
after: guide none, user agent none
#EXTM3U xTvgUrl="https://www.example.org/guide.xml"
OUTPUT
