#!/usr/bin/env bash
# The type of an enclosure is a media type (RFC 4287, 4.2.7.3). feed 6.0.0 (npm), which many websites use
# to write RSS and Atom, accepts the type of a picture from its caller, and writes it in RSS. In Atom, it
# ignores the type, and writes the part of the URL's path after the last dot: image/jpg for image/jpeg, or
# the whole path if it has no dot, as in many content management systems. Readers that go by the type don't
# show such a picture. A publisher can only correct the type in the XML.
#
# Output, for pictures with the type image/jpeg:
#   https://www.example.org/12.jpg: RSS image/jpeg, Atom image/jpg
#   https://www.example.org/photos/12: RSS image/jpeg, Atom image//photos/12
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feed@6.0.0 >/dev/null

cat >write.mjs <<'JS'
import { Feed } from 'feed'
for (const url of ['https://www.example.org/12.jpg', 'https://www.example.org/photos/12']) {
  const link = 'https://www.example.org/'
  const feed = new Feed({ id: link, title: 'News', link })
  const image = { url, type: 'image/jpeg', length: 1000 }
  feed.addItem({ title: 'Parade', link: 'https://www.example.org/1', date: new Date(0), image })
  const [rss, atom] = [feed.rss2(), feed.atom1()].map(
    (xml) => /(?:<enclosure|rel="enclosure").*? type="(.*?)"/.exec(xml)[1],
  )
  console.log(`${url}: RSS ${rss}, Atom ${atom}`)
}
JS
node write.mjs | tee output

diff output - <<'OUTPUT'
https://www.example.org/12.jpg: RSS image/jpeg, Atom image/jpg
https://www.example.org/photos/12: RSS image/jpeg, Atom image//photos/12
OUTPUT
