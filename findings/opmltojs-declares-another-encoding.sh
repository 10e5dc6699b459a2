#!/usr/bin/env bash
# A program that reads XML uses the encoding in its declaration (XML 1.0, 4.3.3). opmltojs 0.4.14 (npm),
# which programs use to read and write lists of feeds, always declares ISO-8859-1, but returns a string,
# which Node saves and sends as UTF-8. So accented letters in the names of feeds are garbled in other
# programs, and more so after each export and import. A program has to replace the declaration.
#
# Output, as read by Python 3.11:
#   Café: CafÃ©
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . opmltojs@0.4.14 >/dev/null

cat >write.cjs <<'JS'
const { writeFileSync } = require('node:fs')
const { opmlify } = require('opmltojs')
const feed = { type: 'rss', text: process.argv[2], xmlUrl: 'https://www.example.org/news.rss' }
writeFileSync('feeds.opml', opmlify({ opml: { head: { title: 'Feeds' }, body: { subs: [feed] } } }))
JS
cat >read.py <<'PYTHON'
import xml.etree.ElementTree
print(xml.etree.ElementTree.parse('feeds.opml').find('.//outline').get('text'))
PYTHON
node write.cjs Café
PYTHONIOENCODING=utf-8 /usr/bin/python3 read.py | sed 's/^/Café: /' | tee output

diff output - <<'OUTPUT'
Café: CafÃ©
OUTPUT
