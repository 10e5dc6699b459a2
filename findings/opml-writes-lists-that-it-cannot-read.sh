#!/usr/bin/env bash
# A title may contain an ampersand, which XML writes as &amp;. opml 0.5.8 and opmltojs 0.4.14 (npm), by
# the author of OPML, can read it, but do not escape it in the head of the lists that they write, so the
# result is not valid XML, and they can't read it back. They do escape it in outlines, such as a feed's
# title. So if a list passes through a program that uses these libraries, its own title must not contain
# "&".
#
# Output, after reading a list with the title "Fire & Rescue":
#   opml: <title>Fire & Rescue</title>, <outline text="News &amp; events" />
#   opml, reading this: Invalid character in entity name
#   opmltojs: <title>Fire & Rescue</title>, <outline text="News &amp; events" />
#   opmltojs, reading this: Invalid character in entity name
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . opml@0.5.8 opmltojs@0.4.14 >/dev/null

cat >run.cjs <<'JS'
const { promisify } = require('node:util')
const opml = require('opml')
const opmltojs = require('opmltojs')
const list =
  '<opml version="2.0"><head><title>Fire &amp; Rescue</title></head>' +
  '<body><outline text="News &amp; events"/></body></opml>'
const libraries = {
  opml: { read: promisify(opml.parse), write: opml.stringify },
  opmltojs: { read: promisify(opmltojs.parseWithError), write: opmltojs.opmlify },
}
const run = async () => {
  for (const [name, { read, write }] of Object.entries(libraries)) {
    const text = write(await read(list))
    console.log(`${name}: ${text.match(/<title>.*|<outline.*/g).join(', ')}`)
    const result = await read(text).then(
      () => 'no error',
      (error) => error.message.split('\n')[0],
    )
    console.log(`${name}, reading this: ${result}`)
  }
}
run()
JS
node run.cjs | tee output

diff output - <<'OUTPUT'
opml: <title>Fire & Rescue</title>, <outline text="News &amp; events" />
opml, reading this: Invalid character in entity name
opmltojs: <title>Fire & Rescue</title>, <outline text="News &amp; events" />
opmltojs, reading this: Invalid character in entity name
OUTPUT
