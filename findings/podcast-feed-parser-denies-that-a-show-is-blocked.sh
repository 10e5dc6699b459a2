#!/usr/bin/env bash
# itunes:block with Yes asks directories not to list a show, and itunes:complete with Yes says that there
# will be no more episodes. If a feed has these elements, podcast-feed-parser 1.0.4 (npm) always returns
# false for blocked and complete, even for Yes. So a directory that checks blocked lists shows that must
# not be listed. Without the elements, both are undefined.
#
# Output:
#   Yes: blocked false, complete false
#   none: blocked undefined, complete undefined
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . podcast-feed-parser@1.0.4 >/dev/null

cat >read.cjs <<'JS'
const { getPodcastFromFeed } = require('podcast-feed-parser')
const feed = (elements) => `<?xml version="1.0"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Show</title><link>https://www.example.org/</link><description>Show</description>${elements}
<item><title>Episode</title><guid isPermaLink="false">1</guid>
<pubDate>Tue, 05 Jan 2027 19:00:00 GMT</pubDate>
<enclosure url="https://www.example.org/1.mp3" length="1000" type="audio/mpeg"/></item>
</channel></rss>`
const elements = {
  Yes: '<itunes:block>Yes</itunes:block><itunes:complete>Yes</itunes:complete>',
  none: '',
}
for (const [name, text] of Object.entries(elements)) {
  const { blocked, complete } = getPodcastFromFeed(feed(text)).meta
  console.log(`${name}: blocked ${blocked}, complete ${complete}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
Yes: blocked false, complete false
none: blocked undefined, complete undefined
OUTPUT
