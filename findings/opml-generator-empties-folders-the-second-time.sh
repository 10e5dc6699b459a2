#!/usr/bin/env bash
# In an OPML list, a folder is an outline that contains other outlines (OPML 2.0, "Subscription lists").
# opml-generator 1.1.1 (npm) takes a folder's feeds from its property _children, and removes them from the
# program's own data when it writes them. So if a server keeps its list of feeds and writes it for each
# request, its folders are empty from the second request on. To avoid this, pass a copy of the list each
# time.
#
# Output, with the list as it is written for two requests:
#   first: News: https://www.example.org/news.xml, https://www.example.org/drills.xml
#   second: News: no feeds
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . opml-generator@1.1.1 >/dev/null

cat >run.cjs <<'JS'
const write = require('opml-generator')
const outlines = [
  {
    text: 'News',
    _children: [
      { text: 'News', type: 'rss', xmlUrl: 'https://www.example.org/news.xml' },
      { text: 'Drills', type: 'rss', xmlUrl: 'https://www.example.org/drills.xml' },
    ],
  },
]
for (const request of ['first', 'second']) {
  const list = write({ title: 'Fire Department' }, outlines)
  const urls = Array.from(list.matchAll(/xmlUrl="([^"]+)"/g), ([, url]) => url)
  const [, folder] = /<outline text="([^"]+)"/.exec(list)
  console.log(`${request}: ${folder}: ${urls.join(', ') || 'no feeds'}`)
}
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
first: News: https://www.example.org/news.xml, https://www.example.org/drills.xml
second: News: no feeds
OUTPUT
