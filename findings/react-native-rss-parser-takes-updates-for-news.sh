#!/usr/bin/env bash
# In Atom, published is the time when an entry appeared, and updated the time of its last significant
# change (RFC 4287, 4.2.9 and 4.2.15). react-native-rss-parser 1.5.1 (npm) gives apps only one time,
# called published, and fills it with updated. So an app that sorts or announces by it shows a corrected
# item as new. With RSS, where pubDate stays the same, it does not.
#
# Output, for an item of January 1 that was corrected on March 1:
#   Atom: 2026-03-01T12:00:00Z
#   RSS: Thu, 01 Jan 2026 12:00:00 GMT
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . react-native-rss-parser@1.5.1 >/dev/null

cat >read.cjs <<'JS'
const { parse } = require('react-native-rss-parser')
const feeds = {
  Atom: `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>tag:example.org,2026:news</id>
<updated>2026-03-01T12:00:00Z</updated><author><name>Pat Lee</name></author>
<entry><title>Item</title><id>tag:example.org,2026:1</id><link href="https://www.example.org/1"/>
<published>2026-01-01T12:00:00Z</published><updated>2026-03-01T12:00:00Z</updated>
<summary>Text</summary></entry></feed>`,
  RSS: `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title>
<link>https://www.example.org/</link><description>News</description><item><title>Item</title>
<link>https://www.example.org/1</link><guid>https://www.example.org/1</guid>
<pubDate>Thu, 01 Jan 2026 12:00:00 GMT</pubDate><atom:updated>2026-03-01T12:00:00Z</atom:updated>
<description>Text</description></item></channel></rss>`,
}
const read = async () => {
  for (const [name, feed] of Object.entries(feeds)) {
    const { items } = await parse(feed)
    console.log(`${name}: ${items[0].published}`)
  }
}
read()
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Atom: 2026-03-01T12:00:00Z
RSS: Thu, 01 Jan 2026 12:00:00 GMT
OUTPUT
