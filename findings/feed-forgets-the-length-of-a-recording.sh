#!/usr/bin/env bash
# feed 6.0.0 (npm), which many websites use to write RSS and podcasts, removes the duration of a recording
# from the caller's item when it writes RSS. So itunes:duration is in the first copy of the feed, and
# missing from every copy that a server writes from the same items later. It even disappears from other
# feeds that contain the same object. A publisher has to create the items again each time.
#
# Output:
#   first copy: 01:05
#   second copy: none
#   another feed with the same recording: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feed@6.0.0 >/dev/null

cat >write.mjs <<'JS'
import { Feed } from 'feed'
const audio = { url: 'https://www.example.org/1.mp3', type: 'audio/mpeg', length: 1000, duration: 65 }
const feedWith = (title) => {
  const link = 'https://www.example.org/'
  const feed = new Feed({ id: link, title, link, podcast: true })
  feed.addItem({ title: 'Minutes', link: 'https://www.example.org/1', date: new Date(0), audio })
  return feed
}
const durationIn = (feed) => /<itunes:duration>(.*?)</.exec(feed.rss2())?.[1] ?? 'none'
const feed = feedWith('Meetings')
console.log(`first copy: ${durationIn(feed)}`)
console.log(`second copy: ${durationIn(feed)}`)
console.log(`another feed with the same recording: ${durationIn(feedWith('All recordings'))}`)
JS
node write.mjs | tee output

diff output - <<'OUTPUT'
first copy: 01:05
second copy: none
another feed with the same recording: none
OUTPUT
