#!/usr/bin/env bash
# Spaces and line breaks are part of the text of an XML element (XML 1.0, 2.10). If a title, link or id
# contains an &, feedsmith 3.0.1 (npm), which websites use to write feeds, writes it in RSS as a CDATA
# section on its own line. Readers that don't trim texts, like rss-parser 3.13.0, then return it with line
# breaks and spaces, so it no longer equals the link that the website uses elsewhere. Publishers should use
# links and ids without an &.
#
# Output, with the link and the title:
#   /news/1: "https://www.example.org/news/1", "Minutes"
#   /news?id=1&lang=en: "\n        https://www.example.org/news?id=1&lang=en\n      ", "\n        Q & A\n      "
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feedsmith@3.0.1 \
  rss-parser@3.13.0 >/dev/null

cat >read.mjs <<'JS'
import { generateRssFeed } from 'feedsmith'
import Parser from 'rss-parser'
for (const [path, title] of [['/news/1', 'Minutes'], ['/news?id=1&lang=en', 'Q & A']]) {
  const link = `https://www.example.org${path}`
  const rss = generateRssFeed({
    title: 'News', link: 'https://www.example.org/', description: 'News', items: [{ title, link }]
  })
  const [item] = (await new Parser().parseString(rss)).items
  console.log(`${path}: ${JSON.stringify(item.link)}, ${JSON.stringify(item.title)}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
/news/1: "https://www.example.org/news/1", "Minutes"
/news?id=1&lang=en: "\n        https://www.example.org/news?id=1&lang=en\n      ", "\n        Q & A\n      "
OUTPUT
