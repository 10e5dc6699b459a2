#!/usr/bin/env bash
# The type of a text in Atom tells whether it is HTML, where &amp; means &, or plain text, where it is what
# the author wrote (RFC 4287, 3.1.1). feedme 2.0.2 (npm) returns the text without its type, unless it is
# XHTML. So two different titles are the same for the program, which shows one of them wrong. Publishers
# should avoid & and < in titles.
#
# Output, with the title that a reader has to show, and what feedme returns:
#   Q & A: "Q &amp; A"
#   Q &amp; A: "Q &amp; A"
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feedme@2.0.2 >/dev/null

cat >read.cjs <<'JS'
const FeedMe = require('feedme')
const titles = {
  'Q & A': '<title type="html">Q &amp;amp; A</title>',
  'Q &amp; A': '<title type="text">Q &amp;amp; A</title>',
}
for (const [label, title] of Object.entries(titles)) {
  const parser = new FeedMe(true)
  parser.write(`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:example.org,2027:news</id><title>News</title><updated>2027-01-05T19:00:00Z</updated>
  <author><name>Example</name></author>
  <entry>
    <id>tag:example.org,2027:1</id>${title}<link href="https://www.example.org/1"/>
    <updated>2027-01-05T19:00:00Z</updated><content>Entities in HTML</content>
  </entry>
</feed>
`)
  console.log(`${label}: ${JSON.stringify(parser.done().items[0].title)}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Q & A: "Q &amp; A"
Q &amp; A: "Q &amp; A"
OUTPUT
