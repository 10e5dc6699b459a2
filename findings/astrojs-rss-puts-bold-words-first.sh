#!/usr/bin/env bash
# @astrojs/rss 4.0.19 (npm), which Astro websites use to write RSS, inserts the caller's own XML
# (customData), for example an XHTML article or an ID from another system. It parses that XML to an object
# and writes the object, which loses the order of text and elements, spaces, and leading zeros. Articles
# have to be escaped or passed in the option content, and numbers with leading zeros can't be inserted.
#
# Output:
#   <xhtml:p>Doors open at <b>seven</b> for members.</xhtml:p>
#     becomes <xhtml:p><b>seven</b>Doors open atfor members.</xhtml:p>
#   <dc:identifier>0071</dc:identifier>
#     becomes <dc:identifier>71</dc:identifier>
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @astrojs/rss@4.0.19 >/dev/null

cat >write.mjs <<'JS'
import { getRssString } from '@astrojs/rss'
for (const customData of [
  '<xhtml:p>Doors open at <b>seven</b> for members.</xhtml:p>',
  '<dc:identifier>0071</dc:identifier>',
]) {
  const xml = await getRssString({
    title: 'News',
    description: 'News',
    site: 'https://www.example.org',
    xmlns: { dc: 'http://purl.org/dc/elements/1.1/', xhtml: 'http://www.w3.org/1999/xhtml' },
    items: [{ title: 'Dinner', customData }],
  })
  const [, written] = /<item><title>Dinner<\/title>(.*)<\/item>/s.exec(xml)
  console.log(`${customData}\n  becomes ${written}`)
}
JS
node write.mjs | tee output

diff output - <<'OUTPUT'
<xhtml:p>Doors open at <b>seven</b> for members.</xhtml:p>
  becomes <xhtml:p><b>seven</b>Doors open atfor members.</xhtml:p>
<dc:identifier>0071</dc:identifier>
  becomes <dc:identifier>71</dc:identifier>
OUTPUT
