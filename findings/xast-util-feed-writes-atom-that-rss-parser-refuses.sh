#!/usr/bin/env bash
# In Atom, the URL of a link is in its attribute href. Dates look like 2026-01-01T12:00:00Z, and each
# entry has the date updated (RFC 4287, 4.2.7.1, 3.3 and 4.1.2). xast-util-feed 2.0.0 (npm), with which
# websites write feeds, writes the website's URL as text, the feed's date in the format of HTTP headers,
# and no date for entries that have not changed. rss-parser 3.13.0 (npm) fails because of the link, so the
# whole feed is missing. RSS from the same data is correct.
#
# Output, for a feed with one item:
#   Atom: <link>https://www.example.org/</link>, updated ..., DD Mon YYYY ... GMT, 0 dates of changes
#   Atom, rss-parser: Cannot read properties of undefined (reading 'rel')
#   RSS, rss-parser: https://www.example.org/, Drill
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . xast-util-feed@2.0.0 xast-util-to-xml@4.0.0 \
  rss-parser@3.13.0 >/dev/null

cat >run.mjs <<'JS'
import Parser from 'rss-parser'
import { atom, rss } from 'xast-util-feed'
import { toXml } from 'xast-util-to-xml'
const channel = { title: 'News', url: 'https://www.example.org/', author: 'Pat Lee' }
const url = 'https://www.example.org/1'
const items = [{ title: 'Drill', url, description: 'Bring gloves', published: '2026-01-01T12:00:00Z' }]
const feeds = { Atom: toXml(atom(channel, items)), RSS: toXml(rss(channel, items)) }

const [head, entry] = feeds.Atom.split('<entry>')
const [link] = /<link>.*<\/link>/.exec(head)
const [, updated] = /<updated>(.*)<\/updated>/.exec(head)
const pattern = updated.replace(/^\w+, \d\d \w+ \d{4} [\d:]+ GMT$/, '..., DD Mon YYYY ... GMT')
console.log(`Atom: ${link}, updated ${pattern}, ${entry.match(/<updated>/g)?.length ?? 0} dates of changes`)
for (const [name, feed] of Object.entries(feeds)) {
  const result = await new Parser().parseString(feed).then(
    ({ link, items: [{ title }] }) => `${link}, ${title}`,
    (error) => error.message,
  )
  console.log(`${name}, rss-parser: ${result}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
Atom: <link>https://www.example.org/</link>, updated ..., DD Mon YYYY ... GMT, 0 dates of changes
Atom, rss-parser: Cannot read properties of undefined (reading 'rel')
RSS, rss-parser: https://www.example.org/, Drill
OUTPUT
