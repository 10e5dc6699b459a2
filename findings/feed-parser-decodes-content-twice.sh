#!/usr/bin/env bash
# @rowanmanning/feed-parser 2.1.5 (npm), which @ascorbic/feed-loader (Astro) uses, decodes entities in
# the HTML of an item. Text in angle brackets then looks like a tag, so browsers don't show it.
#
# Output: <p>Ask Pat <pat@example.org> about the drill</p>
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

npm install --silent --no-audit --no-fund --ignore-scripts @rowanmanning/feed-parser@2.1.5 >/dev/null

cat >parse.mjs <<'JS'
import { parseFeed } from '@rowanmanning/feed-parser'
const html = '<p>Ask Pat &lt;pat@example.org&gt; about the drill</p>'
const feed = parseFeed(`<feed xmlns="http://www.w3.org/2005/Atom">
<title>News</title><id>tag:example.org,2026:news</id><updated>2026-01-01T00:00:00Z</updated>
<entry><title>Item</title><id>tag:example.org,2026:1</id><updated>2026-01-01T00:00:00Z</updated>
<content type="html"><![CDATA[${html}]]></content></entry></feed>`)
console.log(feed.items[0].content)
JS
content=$(node parse.mjs)
echo "$content"
[[ $content == '<p>Ask Pat <pat@example.org> about the drill</p>' ]]
