#!/usr/bin/env bash
# A link without rel leads to the entry's page, like rel="alternate" (RFC 4287, 4.2.7.2). rss-parser
# 3.13.0 (npm) looks only for rel="alternate", and otherwise takes the first link, here a recording.
# @extractus/feed-extractor 8.0.3 (npm) always takes the first one. So a publisher should write the link
# to the page first.
#
# Output, with the link of an entry, without and with rel="alternate":
#   rss-parser: https://www.example.org/1.mp3, https://www.example.org/1
#   @extractus/feed-extractor: https://www.example.org/1.mp3, https://www.example.org/1.mp3
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss-parser@3.13.0 @extractus/feed-extractor@8.0.3 >/dev/null

cat >read.mjs <<'JS'
import { extractFromXml } from '@extractus/feed-extractor'
import Parser from 'rss-parser'
const feeds = ['', 'rel="alternate" '].map((rel) => `<feed xmlns="http://www.w3.org/2005/Atom">
<title>News</title><id>tag:example.org,2026:news</id><updated>2026-01-01T00:00:00Z</updated>
<entry><title>Item</title><id>tag:example.org,2026:1</id><updated>2026-01-01T00:00:00Z</updated>
<author><name>Pat Lee</name></author><summary>Text</summary>
<link rel="enclosure" type="audio/mpeg" href="https://www.example.org/1.mp3"/>
<link ${rel}href="https://www.example.org/1"/></entry></feed>`)
const libraries = {
  'rss-parser': async (feed) => (await new Parser().parseString(feed)).items[0].link,
  '@extractus/feed-extractor': async (feed) => extractFromXml(feed).entries[0].link,
}
for (const [name, read] of Object.entries(libraries))
  console.log(`${name}: ${(await Promise.all(feeds.map(read))).join(', ')}`)
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
rss-parser: https://www.example.org/1.mp3, https://www.example.org/1
@extractus/feed-extractor: https://www.example.org/1.mp3, https://www.example.org/1.mp3
OUTPUT
