#!/usr/bin/env bash
# An Atom entry has an updated time, and may have a published time (RFC 4287, 4.2.15 and 4.2.9).
# rss-to-json 2.1.1 (npm) uses neither as the publication time: it looks for "created", an element of the
# old Atom 0.3, and otherwise uses the current time. So each time a website loads the feed, every entry
# is new. In RSS, it reads pubDate, so a publisher should offer RSS as well.
#
# Output, with the property published of an item of January 1, 2026:
#   Atom: the time of the request
#   RSS: 2026-01-01T12:00:00.000Z
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss-to-json@2.1.1 >/dev/null

cat >read.cjs <<'JS'
const { createServer } = require('node:http')
const { parse } = require('rss-to-json')
const feeds = {
  Atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>tag:example.org,2026:news</id>
<updated>2026-01-01T12:00:00Z</updated><author><name>Pat Lee</name></author>
<entry><title>Item</title><id>tag:example.org,2026:1</id><link href="https://www.example.org/1"/>
<published>2026-01-01T12:00:00Z</published><updated>2026-01-01T12:00:00Z</updated>
<summary>Text</summary></entry></feed>`,
  RSS: `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link>
<description>News</description><item><title>Item</title><link>https://www.example.org/1</link>
<guid>https://www.example.org/1</guid><pubDate>Thu, 01 Jan 2026 12:00:00 GMT</pubDate>
<description>Text</description></item></channel></rss>`,
}
const server = createServer(({ url }, response) => response.end(feeds[url.slice(1)]))
server.listen(0, '127.0.0.1', async () => {
  for (const name of Object.keys(feeds)) {
    const before = Date.now()
    const { items } = await parse(`http://127.0.0.1:${server.address().port}/${name}`)
    const [{ published }] = items
    const now = published >= before && published <= Date.now()
    console.log(`${name}: ${now ? 'the time of the request' : new Date(published).toISOString()}`)
  }
  server.close()
})
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Atom: the time of the request
RSS: 2026-01-01T12:00:00.000Z
OUTPUT
