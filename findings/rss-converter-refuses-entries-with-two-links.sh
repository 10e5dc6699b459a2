#!/usr/bin/env bash
# An Atom entry may have several links, such as its page and a recording, or no link if it has content
# (RFC 4287, 4.1.2). rss-converter 1.1.6 (npm) expects exactly one link, and otherwise throws an error. So
# one entry with a recording hides all of a website's news. The same happens for an RSS feed that has no
# items yet.
#
# Output, with the titles of the items or the error:
#   Atom, one link: News 1, News 2
#   Atom, two links: Cannot read properties of undefined (reading 'href')
#   Atom, no link: Cannot read properties of undefined (reading '_attrs')
#   RSS, no items: Cannot read properties of undefined (reading 'hasOwnProperty')
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss-converter@1.1.6 >/dev/null

cat >read.mjs <<'JS'
import { createServer } from 'node:http'
import { toJson } from 'rss-converter'
const entryOf = (number, links) => `<entry><title>News ${number}</title><id>tag:example.org,2026:${number}</id>
<updated>2026-01-01T12:00:00Z</updated>${links}<content>Text</content></entry>`
const page = '<link href="https://www.example.org/1"/>'
const atomOf = (links) => `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
<id>tag:example.org,2026:news</id><updated>2026-01-01T12:00:00Z</updated>
<author><name>Pat Lee</name></author>${entryOf(1, page)}${entryOf(2, links)}</feed>`
const feeds = {
  'Atom, one link': atomOf(page),
  'Atom, two links': atomOf(`${page}<link rel="enclosure" type="audio/mpeg" href="https://www.example.org/1.mp3"/>`),
  'Atom, no link': atomOf(''),
  'RSS, no items': `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link>
<description>News</description></channel></rss>`,
}
let body = ''
const server = createServer((request, response) => response.end(body))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
for (const [name, feed] of Object.entries(feeds)) {
  body = feed
  const result = await toJson(`http://127.0.0.1:${server.address().port}/`).then(
    ({ items }) => items.map(({ title }) => title).join(', '),
    (error) => error.message,
  )
  console.log(`${name}: ${result}`)
}
server.close()
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
Atom, one link: News 1, News 2
Atom, two links: Cannot read properties of undefined (reading 'href')
Atom, no link: Cannot read properties of undefined (reading '_attrs')
RSS, no items: Cannot read properties of undefined (reading 'hasOwnProperty')
OUTPUT
