#!/usr/bin/env bash
# feed 6.0.0 (npm), which many websites use to write RSS and Atom, escapes titles and URLs. But it does not
# escape the title of an enclosure and the domain of a category, so an ampersand in them makes the XML
# malformed, and readers reject the whole feed. Its types allow both. A publisher has to escape these
# values before calling the library, and must not escape the others.
#
# Output, from rss-parser 3.13.0:
#   title of the item "Minutes & votes": 1 item
#   URL of the item with ?year=2027&month=1: 1 item
#   title of the file "Minutes & votes": Invalid character in entity name
#   domain of the category with ?year=2027&month=1: Invalid character in entity name
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feed@6.0.0 rss-parser@3.13.0 >/dev/null

cat >run.mjs <<'JS'
import { Feed } from 'feed'
import Parser from 'rss-parser'
const page = 'https://www.example.org/minutes?year=2027&month=1'
const file = { url: 'https://www.example.org/minutes.pdf', type: 'application/pdf', length: 1000 }
const items = {
  'title of the item "Minutes & votes"': { title: 'Minutes & votes' },
  'URL of the item with ?year=2027&month=1': { link: page },
  'title of the file "Minutes & votes"': { enclosure: { ...file, title: 'Minutes & votes' } },
  'domain of the category with ?year=2027&month=1': { category: [{ name: 'Minutes', domain: page }] },
}
for (const [name, item] of Object.entries(items)) {
  const feed = new Feed({ id: 'https://www.example.org/', title: 'News', link: 'https://www.example.org/' })
  feed.addItem({ title: 'Minutes', link: 'https://www.example.org/1', date: new Date(0), ...item })
  const result = await new Parser().parseString(feed.rss2()).then(
    (read) => `${read.items.length} item`,
    (error) => error.message.split('\n')[0],
  )
  console.log(`${name}: ${result}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
title of the item "Minutes & votes": 1 item
URL of the item with ?year=2027&month=1: 1 item
title of the file "Minutes & votes": Invalid character in entity name
domain of the category with ?year=2027&month=1: Invalid character in entity name
OUTPUT
