#!/usr/bin/env bash
# JSON Feed 1.1 (2020) is version 1 with a few more fields. jsonfeed-to-rss 3.0.8 and jsonfeed-to-atom
# 1.2.5 (npm) refuse every feed of version 1.1, because they compare the version. Nothing in the feed can
# help except the old version.
#
# Output:
#   jsonfeed-to-rss, 1: converted
#   jsonfeed-to-rss, 1.1: jsonfeed-to-atom: JSON feed version 1 required
#   jsonfeed-to-atom, 1: converted
#   jsonfeed-to-atom, 1.1: jsonfeed-to-atom: JSON feed version 1 required
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . jsonfeed-to-rss@3.0.8 jsonfeed-to-atom@1.2.5 >/dev/null

cat >convert.cjs <<'JS'
const toAtom = require('jsonfeed-to-atom')
const toRss = require('jsonfeed-to-rss')
const feed = (version) => ({
  version: `https://jsonfeed.org/version/${version}`,
  title: 'News',
  home_page_url: 'https://www.example.org/',
  feed_url: 'https://www.example.org/news.json',
  items: [
    {
      id: '1',
      url: 'https://www.example.org/1',
      title: 'Item',
      content_text: 'Text',
      date_published: '2026-01-01T00:00:00Z',
    },
  ],
})
const result = (convert, version) => {
  try {
    return convert(feed(version)).includes('<title>Item</title>') ? 'converted' : 'lost'
  } catch (error) {
    return error.message
  }
}
for (const [name, convert] of Object.entries({ 'jsonfeed-to-rss': toRss, 'jsonfeed-to-atom': toAtom }))
  for (const version of ['1', '1.1']) console.log(`${name}, ${version}: ${result(convert, version)}`)
JS
node convert.cjs | tee output

diff output - <<'OUTPUT'
jsonfeed-to-rss, 1: converted
jsonfeed-to-rss, 1.1: jsonfeed-to-atom: JSON feed version 1 required
jsonfeed-to-atom, 1: converted
jsonfeed-to-atom, 1.1: jsonfeed-to-atom: JSON feed version 1 required
OUTPUT
