#!/usr/bin/env bash
# The type of an enclosure is a media type like audio/mpeg (RSS 2.0). rss 1.2.2 and podcast 2.0.1 (npm),
# with which websites write feeds, find it out from the address if the website does not name it. For an
# address with a query, as programs that count listeners add it, and for one without an extension, they
# write type="false". So a recording may not be recognized as one. Pass the type.
#
# Output, with the type that both write:
#   https://www.example.org/1.mp3: audio/mpeg, audio/mpeg
#   https://www.example.org/1.mp3?from=feed: false, false
#   https://www.example.org/play/1: false, false
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . rss@1.2.2 podcast@2.0.1 >/dev/null

cat >run.cjs <<'JS'
const RSS = require('rss')
const { Podcast } = require('podcast')
const channel = {
  title: 'Show',
  feedUrl: 'https://www.example.org/feed',
  feed_url: 'https://www.example.org/feed',
  siteUrl: 'https://www.example.org/',
  site_url: 'https://www.example.org/',
}
const typeIn = (feed) => /<enclosure [^>]*type="([^"]*)"/.exec(feed)[1]
for (const path of ['1.mp3', '1.mp3?from=feed', 'play/1']) {
  const url = `https://www.example.org/${path}`
  const item = { title: 'Episode', date: new Date('2027-01-05T19:00Z'), enclosure: { url, size: 1000 } }
  const rss = new RSS(channel)
  rss.item(item)
  const podcast = new Podcast(channel)
  podcast.addItem(item)
  console.log(`${url}: ${typeIn(rss.xml())}, ${typeIn(podcast.buildXml())}`)
}
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
https://www.example.org/1.mp3: audio/mpeg, audio/mpeg
https://www.example.org/1.mp3?from=feed: false, false
https://www.example.org/play/1: false, false
OUTPUT
