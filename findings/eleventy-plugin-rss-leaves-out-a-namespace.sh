#!/usr/bin/env bash
# A prefix like content: has to be declared (Namespaces in XML 1.0, 5). @11ty/eleventy-plugin-rss 3.0.0
# (npm) generates an RSS feed for websites built with Eleventy 3.1.8. If a post has a summary, the plugin
# writes the text in content:encoded, without declaring that prefix. Parsers that support namespaces, like
# those of Python 3.11 and saxes 6.0.0, reject the whole feed because of one such post. A website has to
# use Atom, or posts without summaries.
#
# Output:
#   RSS without a summary: Python reads it, saxes reads it
#   RSS with a summary: Python says unbound prefix, saxes says unbound namespace prefix: "content".
#   Atom with a summary: Python reads it, saxes reads it
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
echo '{ "type": "module" }' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @11ty/eleventy@3.1.8 \
  @11ty/eleventy-plugin-rss@3.0.0 saxes@6.0.0 >/dev/null

cat >eleventy.config.js <<'JS'
import { feedPlugin } from '@11ty/eleventy-plugin-rss'
export default function (config) {
  config.addPlugin(feedPlugin, {
    type: process.env.TYPE,
    outputPath: '/feed.xml',
    collection: { name: 'posts' },
    metadata: {
      language: 'en',
      title: 'News',
      subtitle: 'News',
      base: 'https://www.example.org/',
      author: { name: 'Example' },
    },
  })
}
JS
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'
let result = 'reads it'
const parser = new SaxesParser({ xmlns: true })
parser.on('error', ({ message }) => (result = `says ${message.replace(/^\d+:\d+: /, '')}`))
parser.write(readFileSync('_site/feed.xml', 'utf8')).close()
console.log(`saxes ${result}`)
JS
cat >read.py <<'PYTHON'
import xml.etree.ElementTree
try:
    xml.etree.ElementTree.parse('_site/feed.xml')
    print('Python reads it, ', end='')
except xml.etree.ElementTree.ParseError as error:
    print(f'Python says {str(error).split(":")[0]}, ', end='')
PYTHON
mkdir posts
write() {
  printf '%s\n' --- 'title: Dinner' "$2" 'tags: posts' 'date: 2027-01-05' --- 'Doors open at 7.' >posts/1.md
  rm -rf _site
  TYPE=$1 node node_modules/@11ty/eleventy/cmd.cjs --quiet >/dev/null
  /usr/bin/python3 read.py
  node read.mjs
}
{
  echo -n 'RSS without a summary: '
  write rss 'layout: false'
  echo -n 'RSS with a summary: '
  write rss 'summary: Tickets are $10.'
  echo -n 'Atom with a summary: '
  write atom 'summary: Tickets are $10.'
} | tee output

diff output - <<'OUTPUT'
RSS without a summary: Python reads it, saxes reads it
RSS with a summary: Python says unbound prefix, saxes says unbound namespace prefix: "content".
Atom with a summary: Python reads it, saxes reads it
OUTPUT
