#!/usr/bin/env bash
# Atom content of type xhtml contains elements, not escaped text (RFC 4287, 4.1.3.1). rss-parser 3.13.0
# (npm) puts all text of an element before its child elements, so words in bold or in links move to the
# end of their paragraph. It keeps the order of the same text in type html.
#
# Output:
#   xhtml: Meet at , not at the hall.the pond
#   html: Meet at the pond, not at the hall.
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss-parser@3.13.0 >/dev/null

cat >read.mjs <<'JS'
import Parser from 'rss-parser'
const paragraph = '<p>Meet at <b>the pond</b>, not at the hall.</p>'
const contents = {
  xhtml: `<div xmlns="http://www.w3.org/1999/xhtml">${paragraph}</div>`,
  html: paragraph.replaceAll('<', '&lt;'),
}
for (const [type, content] of Object.entries(contents)) {
  const { items } = await new Parser().parseString(`<feed xmlns="http://www.w3.org/2005/Atom">
<title>News</title><id>tag:example.org,2026:news</id><updated>2026-01-01T00:00:00Z</updated>
<entry><title>Item</title><id>tag:example.org,2026:1</id><updated>2026-01-01T00:00:00Z</updated>
<author><name>Pat Lee</name></author><content type="${type}">${content}</content></entry></feed>`)
  console.log(`${type}: ${items[0].contentSnippet}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
xhtml: Meet at , not at the hall.the pond
html: Meet at the pond, not at the hall.
OUTPUT
