#!/usr/bin/env bash
# An Atom entry may have several authors, and the feed's author applies only to entries without one (RFC
# 4287, 4.1.2 and 4.2.1). For an entry with two authors, feedparser 2.6.0 (npm), with which Node-RED reads
# feeds, names the feed's author, so a guest's text appears under the wrong name. Entries with one author
# are correct. Publishers can write both names into one author.
#
# Output, with the author of an entry in the feed of the Fire Department:
#   Pat Lee: Pat Lee
#   Pat Lee, Sam Roe: Fire Department
#   none: Fire Department
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . feedparser@2.6.0 >/dev/null

cat >read.mjs <<'JS'
import { Readable } from 'node:stream'
import FeedParser from 'feedparser'
for (const names of [['Pat Lee'], ['Pat Lee', 'Sam Roe'], []]) {
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>tag:example.org,2026:news</id>
<updated>2026-01-01T12:00:00Z</updated><author><name>Fire Department</name></author><entry><title>Drill</title>
<id>tag:example.org,2026:1</id><updated>2026-01-01T12:00:00Z</updated><link href="https://www.example.org/1"/>
${names.map((name) => `<author><name>${name}</name></author>`).join('')}<content>Text</content></entry></feed>`
  for await (const item of Readable.from([feed]).pipe(new FeedParser()))
    console.log(`${names.join(', ') || 'none'}: ${item.author}`)
}
JS
node read.mjs | tee output

diff output - <<'OUTPUT'
Pat Lee: Pat Lee
Pat Lee, Sam Roe: Fire Department
none: Fire Department
OUTPUT
