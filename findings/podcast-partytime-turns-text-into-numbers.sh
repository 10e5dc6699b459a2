#!/usr/bin/env bash
# guid and title of an RSS item are text. podcast-partytime 5.0.0 (npm), which comes from the Podcast Index,
# reads them as numbers if they look like one. Different guids become the same, and it skips an item that
# has no description if its title is a year. A guid with a letter or a colon, such as a URL, is safe.
#
# Output:
#   guid 007, title "Radio 2026": guid 7
#   guid 7.0, title "Radio 2027": guid 7
#   guid https://www.example.org/3, title "2026": skipped
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . podcast-partytime@5.0.0 >/dev/null

cat >read.mjs <<'JS'
import { parseFeed } from 'podcast-partytime'
const items = [
  { guid: '007', title: 'Radio 2026' },
  { guid: '7.0', title: 'Radio 2027' },
  { guid: 'https://www.example.org/3', title: '2026' },
]
const feed = parseFeed(`<?xml version="1.0"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Radio</title><link>https://www.example.org/</link><description>News to listen to</description>
<language>en</language><itunes:explicit>false</itunes:explicit>${items
  .map(
    ({ guid, title }, index) =>
      `<item><title>${title}</title><guid isPermaLink="false">${guid}</guid><enclosure url="https://www.example.org/${index}.mp3" length="1" type="audio/mpeg"/></item>`,
  )
  .join('')}</channel></rss>`)
for (const [index, { guid, title }] of items.entries()) {
  const item = feed.items.find(({ enclosure }) => enclosure.url.endsWith(`/${index}.mp3`))
  console.log(`guid ${guid}, title "${title}": ${item ? `guid ${item.guid}` : 'skipped'}`)
}
JS
PARTYTIME_LOG=silent node read.mjs | tee output

diff output - <<'OUTPUT'
guid 007, title "Radio 2026": guid 7
guid 7.0, title "Radio 2027": guid 7
guid https://www.example.org/3, title "2026": skipped
OUTPUT
