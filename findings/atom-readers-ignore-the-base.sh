#!/usr/bin/env bash
# In Atom, any element may have xml:base, against which relative links are resolved (RFC 4287, 2 and
# 4.2.7.1), so a feed can contain short links. rss-parser 3.13.0 and feed-read 0.0.1 (npm) return the
# relative link, which then leads to a page of the program that shows the news, and
# @extractus/feed-extractor 8.0.3 (npm) returns no link. feedparser 2.6.0 (npm) resolves it. Publishers
# should write absolute URLs.
#
# Output, with the link of an entry to "news/1", for xml:base="https://www.example.org/":
#   rss-parser: news/1
#   feed-read: news/1
#   @extractus/feed-extractor: none
#   feedparser: https://www.example.org/news/1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss-parser@3.13.0 feed-read@0.0.1 \
  @extractus/feed-extractor@8.0.3 feedparser@2.6.0 >/dev/null

cat >read.mjs <<'JS'
import { Readable } from 'node:stream'
import { extractFromXml } from '@extractus/feed-extractor'
import FeedRead from 'feed-read'
import FeedParser from 'feedparser'
import Parser from 'rss-parser'
const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://www.example.org/">
<title>News</title><id>tag:example.org,2026:news</id><updated>2026-01-01T12:00:00Z</updated>
<author><name>Pat Lee</name></author><entry><title>Drill</title><id>tag:example.org,2026:1</id>
<updated>2026-01-01T12:00:00Z</updated><link href="news/1"/><content>Bring gloves</content></entry></feed>`
const libraries = {
  'rss-parser': async () => (await new Parser().parseString(feed)).items[0].link,
  'feed-read': () =>
    new Promise((resolve, reject) =>
      FeedRead.atom(feed, (error, items) => (error ? reject(error) : resolve(items[0].link))),
    ),
  '@extractus/feed-extractor': async () => extractFromXml(feed).entries[0].link,
  feedparser: async () => {
    for await (const item of Readable.from([feed]).pipe(new FeedParser())) return item.link
  },
}
for (const [name, read] of Object.entries(libraries)) console.log(`${name}: ${(await read()) || 'none'}`)
JS
node read.mjs 2>/dev/null | tee output

diff output - <<'OUTPUT'
rss-parser: news/1
feed-read: news/1
@extractus/feed-extractor: none
feedparser: https://www.example.org/news/1
OUTPUT
