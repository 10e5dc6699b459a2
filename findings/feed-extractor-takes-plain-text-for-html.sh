#!/usr/bin/env bash
# content_text of JSON Feed is plain text, and content_html is HTML. @extractus/feed-extractor 8.0.3
# (npm) removes tags from both, so words in angle brackets disappear from plain text.
#
# Output, for the text "Speaker: <to be announced>, doors open at 7": Speaker: , doors open at 7
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @extractus/feed-extractor@8.0.3 >/dev/null

cat >read.mjs <<'JS'
import { extractFromJson } from '@extractus/feed-extractor'
const feed = extractFromJson({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'News',
  home_page_url: 'https://www.example.org/',
  items: [
    {
      id: 'tag:example.org,2026:1',
      url: 'https://www.example.org/1',
      title: 'Talk',
      content_text: 'Speaker: <to be announced>, doors open at 7',
      date_published: '2026-01-01T00:00:00Z',
    },
  ],
})
console.log(feed.entries[0].description)
JS
node read.mjs | tee output
[ "$(cat output)" = 'Speaker: , doors open at 7' ]
