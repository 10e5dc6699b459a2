#!/usr/bin/env bash
# An RSS item may have a short text in description and the whole article in content:encoded. pickup 8.1.0
# (npm) returns the article as the summary, but only if it has at most 4,096 characters. For a longer
# one, it returns the short text instead, without an error. So it is a website's long articles that lose
# their text. If content:encoded comes first, the article is complete, so a publisher should write it
# first.
#
# Output, with the length of the summary for articles of 4,000 and 5,000 characters:
#   description first: 4000, 10
#   content:encoded first: 4000, 5000
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . pickup@8.1.0 >/dev/null

cat >read.cjs <<'JS'
const pickup = require('pickup')
const summary = (elements) =>
  new Promise((resolve, reject) => {
    const parser = pickup({ eventMode: true })
    parser.on('entry', (entry) => resolve(entry.summary))
    parser.on('error', reject)
    parser.end(`<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>News</title><link>https://www.example.org/</link><description>News</description>
<item><title>Article</title><guid>https://www.example.org/1</guid>${elements.join('')}</item>
</channel></rss>`)
  })
const run = async () => {
  const article = (length) => `<content:encoded>${'a'.repeat(length)}</content:encoded>`
  const description = '<description>Short text</description>'
  for (const [name, order] of [
    ['description first', (length) => [description, article(length)]],
    ['content:encoded first', (length) => [article(length), description]],
  ]) {
    const lengths = []
    for (const length of [4000, 5000]) lengths.push((await summary(order(length))).length)
    console.log(`${name}: ${lengths.join(', ')}`)
  }
}
run()
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
description first: 4000, 10
content:encoded first: 4000, 5000
OUTPUT
