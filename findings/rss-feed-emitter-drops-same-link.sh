#!/usr/bin/env bash
# rss-feed-emitter 3.2.4 (npm) announces only one of several items with the same link, even if their
# guids differ. RSS 2.0 identifies items by guid. Feeds of comments, replies or changes often link
# several items to one page.
#
# Output: announced: Reply 1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --prefix . rss-feed-emitter@3.2.4 >/dev/null

cat >run.cjs <<'JS'
const { createServer } = require('node:http')
const RssFeedEmitter = require('rss-feed-emitter')
const item = (id) =>
  `<item><title>Reply ${id}</title><link>https://www.example.org/topic</link><guid isPermaLink="false">reply-${id}</guid><pubDate>Thu, 0${id} Oct 2026 10:00:00 GMT</pubDate></item>`
const items = item(3) + item(2) + item(1)
let requests = 0
const announced = []
const server = createServer((_request, response) => {
  requests += 1
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>Forum</title><link>https://www.example.org/</link><description>Forum</description>${items}</channel></rss>`,
  )
  if (requests === 5) {
    console.log(`announced: ${announced.join(', ')}`)
    process.exit(0)
  }
})
server.listen(0, '127.0.0.1', () => {
  const feeds = new RssFeedEmitter({ skipFirstLoad: false })
  feeds.on('new-item', ({ title }) => announced.push(title))
  feeds.on('error', (error) => {
    console.log(String(error))
    process.exit(1)
  })
  feeds.add({ url: `http://127.0.0.1:${server.address().port}/`, refresh: 500 })
})
JS
node run.cjs | tee output
[ "$(cat output)" = 'announced: Reply 1' ]
