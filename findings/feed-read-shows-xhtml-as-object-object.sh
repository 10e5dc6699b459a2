#!/usr/bin/env bash
# Atom content of type xhtml contains elements, not escaped text (RFC 4287, 4.1.3.1). For such content,
# feed-read 0.0.1 (npm) returns the text "[object Object]", and @extractus/feed-extractor 8.0.3 (npm)
# returns an empty text, without an error. Both return the complete text if its type is html, so
# publishers should use that type.
#
# Output, for "Meet at the pond", with the pond in bold:
#   xhtml: feed-read "[object Object]", @extractus/feed-extractor ""
#   html: feed-read "Meet at <b>the pond</b>", @extractus/feed-extractor "Meet at the pond"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feed-read@0.0.1 @extractus/feed-extractor@8.0.3 >/dev/null

cat >read.mjs <<'JS'
import { extractFromXml } from '@extractus/feed-extractor'
import FeedRead from 'feed-read'
const contents = {
  xhtml: '<div xmlns="http://www.w3.org/1999/xhtml">Meet at <b>the pond</b></div>',
  html: 'Meet at &lt;b&gt;the pond&lt;/b&gt;',
}
for (const [type, content] of Object.entries(contents)) {
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>tag:example.org,2026:news</id>
<updated>2026-01-01T12:00:00Z</updated><author><name>Pat Lee</name></author><entry><title>Drill</title>
<id>tag:example.org,2026:1</id><updated>2026-01-01T12:00:00Z</updated><link href="https://www.example.org/1"/>
<content type="${type}">${content}</content></entry></feed>`
  const first = await new Promise((resolve, reject) =>
    FeedRead.atom(feed, (error, items) => (error ? reject(error) : resolve(items[0].content))),
  )
  const second = extractFromXml(feed).entries[0].description
  console.log(`${type}: feed-read "${first}", @extractus/feed-extractor "${second}"`)
}
JS
node read.mjs 2>/dev/null | tee output

diff output - <<'OUTPUT'
xhtml: feed-read "[object Object]", @extractus/feed-extractor ""
html: feed-read "Meet at <b>the pond</b>", @extractus/feed-extractor "Meet at the pond"
OUTPUT
