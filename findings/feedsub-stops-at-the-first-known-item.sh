#!/usr/bin/env bash
# feedsub 0.7.8 (npm) decides from the dates of the first two items that a feed is sorted by date, and
# then stops at the first item that it knows. It never announces a new item below that one, such as an
# older story that is published late. RSS and Atom do not define an order (RFC 4287, 4.1.1).
#
# Output: announced: Story 3, Story 1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --prefix . feedsub@0.7.8 >/dev/null

cat >run.cjs <<'JS'
const { createServer } = require('node:http')
const FeedSub = require('feedsub')
const item = (id) =>
  `<item><title>Story ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid><pubDate>Thu, 0${id} Oct 2026 10:00:00 GMT</pubDate></item>`
let items = item(3) + item(1)
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link><description>News</description>${items}</channel></rss>`,
  )
})
server.listen(0, '127.0.0.1', async () => {
  const announced = []
  const reader = new FeedSub(`http://127.0.0.1:${server.address().port}/`, { emitOnStart: true })
  reader.on('item', ({ title }) => announced.push(title))
  const read = () =>
    new Promise((resolve, reject) => reader.read((error) => (error ? reject(error) : resolve())))
  await read()
  items = item(3) + item(2) + item(1)
  await read()
  await read()
  console.log(`announced: ${announced.toSorted().toReversed().join(', ')}`)
  process.exit(0)
})
JS
node run.cjs | tee output
[ "$(cat output)" = 'announced: Story 3, Story 1' ]
