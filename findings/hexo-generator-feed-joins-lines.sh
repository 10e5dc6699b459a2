#!/usr/bin/env bash
# A line break in HTML separates words, and in <pre>, it separates lines (HTML Standard, "preformatted
# text"). With content: true, hexo-generator-feed 3.0.0 (npm), which writes the feeds of websites made
# with Hexo 8.1.2, removes line breaks and other control characters from the text. So the last word of a
# line and the first word of the next become one, and a schedule in <pre> becomes a single line. The
# website's pages are correct. Authors can use <br> instead of line breaks.
#
# Output, for a paragraph of two lines and a schedule:
#   page: <p>The drill is at[line break]Station 2.</p> <pre>09:00 Start[line break]10:00 Break</pre>
#   atom.xml: <p>The drill is atStation 2.</p> <pre>09:00 Start10:00 Break</pre>
#   rss.xml: <p>The drill is atStation 2.</p> <pre>09:00 Start10:00 Break</pre>
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
echo '{ "private": true, "hexo": { "version": "8.1.2" } }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . hexo@8.1.2 hexo-generator-feed@3.0.0 \
  hexo-renderer-ejs@2.0.0 hexo-renderer-marked@7.0.1 >/dev/null

cat >_config.yml <<'YAML'
title: News
url: https://www.example.org
timezone: UTC
theme: own
feed:
  type: [atom, rss2]
  path: [atom.xml, rss.xml]
  content: true
YAML
mkdir -p source/_posts themes/own/layout
echo '<%- page.content %>' >themes/own/layout/post.ejs
cat >source/_posts/drill.md <<'MARKDOWN'
---
title: Drill
date: 2026-01-01 12:00:00
---
<p>The drill is at
Station 2.</p>
<pre>09:00 Start
10:00 Break</pre>
MARKDOWN
node_modules/.bin/hexo generate >/dev/null 2>&1

cat >show.mjs <<'JS'
import { readFileSync } from 'node:fs'
const files = { page: 'public/2026/01/01/drill/index.html', 'atom.xml': 'public/atom.xml', 'rss.xml': 'public/rss.xml' }
for (const [name, file] of Object.entries(files)) {
  const elements = readFileSync(file, 'utf8').match(/<p>[^]*?<\/p>|<pre>[^]*?<\/pre>/g)
  console.log(`${name}: ${elements.map((element) => element.replaceAll('\n', '[line break]')).join(' ')}`)
}
JS
node show.mjs | tee output

diff output - <<'OUTPUT'
page: <p>The drill is at[line break]Station 2.</p> <pre>09:00 Start[line break]10:00 Break</pre>
atom.xml: <p>The drill is atStation 2.</p> <pre>09:00 Start10:00 Break</pre>
rss.xml: <p>The drill is atStation 2.</p> <pre>09:00 Start10:00 Break</pre>
OUTPUT
