#!/usr/bin/env bash
# The type of an enclosure is a media type like audio/mpeg (RSS 2.0). rss 1.2.2 and podcast 2.0.1 (npm),
# which websites use to write feeds, derive it from the URL if the website does not set it. For a URL
# with a query string, such as those that audience measurement services add, or without an extension,
# they write type="false". So apps may not recognize a recording. Pass the type.
#
# Output, with the types that rss and podcast write:
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
