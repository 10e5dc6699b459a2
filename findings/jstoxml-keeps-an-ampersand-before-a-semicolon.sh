#!/usr/bin/env bash
# In XML, an ampersand in text is written as &amp; (XML 1.0, 2.4). jstoxml 7.1.1 (npm), whose documentation
# shows how to write RSS and podcasts with it, does that unless a word and a semicolon follow, because it
# mistakes "Q&A;" for a reference that is already escaped. No such entity exists in RSS, so readers reject
# the whole feed until the item is gone. A publisher can avoid this by escaping text and turning off the
# library's replacements, or with a CDATA section.
#
# Output, from rss-parser 3.13.0:
#   Q&A, then a tour: Q&A, then a tour
#   Q&A; then a tour: Invalid character entity
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jstoxml@7.1.1 rss-parser@3.13.0 >/dev/null

cat >run.mjs <<'JS'
import { toXML } from 'jstoxml'
import Parser from 'rss-parser'
for (const title of ['Q&A, then a tour', 'Q&A; then a tour']) {
  const link = 'https://www.example.org/'
  const channel = { title: 'News', link, description: 'News', item: { title } }
  const xml = toXML({ _name: 'rss', _attrs: { version: '2.0' }, _content: { channel } }, { header: true })
  const result = await new Parser().parseString(xml).then(
    (feed) => feed.items[0].title,
    (error) => error.message.split('\n')[0],
  )
  console.log(`${title}: ${result}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
Q&A, then a tour: Q&A, then a tour
Q&A; then a tour: Invalid character entity
OUTPUT
