#!/usr/bin/env bash
# In Markdown, an item that is indented belongs to the item above it (CommonMark, 5.2). daverss 0.6.20
# (npm), which writes texts as Markdown in source:markdown, removes the spaces at the beginning of each
# line. So readers show lists within lists as one list, and code as text. The description in HTML loses
# the indentation of preformatted text in the same way.
#
# Output, with the HTML that marked 3.0.8 makes of the Markdown, without line breaks:
#   before: <ul><li>Tuesday<ul><li>Drill</li></ul></li><li>Friday</li></ul>
#   after: <ul><li>Tuesday</li><li>Drill</li><li>Friday</li></ul>
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . daverss@0.6.20 marked@3.0.8 \
  rss-parser@3.13.0 >/dev/null

cat >write.cjs <<'JS'
const { buildRssFeed } = require('daverss')
const marked = require('marked')
const Parser = require('rss-parser')
const markdowntext = '- Tuesday\n  - Drill\n- Friday\n'
const feed = { title: 'News', link: 'https://www.example.org/', description: 'News', maxFeedItems: 1 }
const item = { title: 'Program', text: 'Program', markdowntext, when: '2027-01-05T19:00:00Z' }
const show = (label, text) => console.log(`${label}: ${marked(text).replaceAll('\n', '')}`)
const run = async () => {
  const parser = new Parser({ customFields: { item: ['source:markdown'] } })
  const { items } = await parser.parseString(buildRssFeed(feed, [item]))
  show('before', markdowntext)
  show('after', items[0]['source:markdown'])
}
run()
JS
node write.cjs | tee output

diff output - <<'OUTPUT'
before: <ul><li>Tuesday<ul><li>Drill</li></ul></li><li>Friday</li></ul>
after: <ul><li>Tuesday</li><li>Drill</li><li>Friday</li></ul>
OUTPUT
