#!/usr/bin/env bash
# The RSS Feed Trigger of n8n-nodes-base 2.41.2 (npm) passes on items that are newer than the newest one
# in the feed at its previous run. It never passes on an item that appears later with an older date. If
# the newest item is removed and returns, it passes that item on again, although items have ids.
#
# Output: passed on: Story 1, Story 3, Story 3
#   (Story 2 is missing, and Story 3 appears twice)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --prefix . rss-parser@3.13.0 >/dev/null
npm pack --silent n8n-nodes-base@2.41.2 >/dev/null
tar xzf n8n-nodes-base-2.41.2.tgz package/dist/nodes/RssFeedRead

cat >run.cjs <<'JS'
const Module = require('node:module')
// The trigger needs only these parts of n8n. It uses the date only in the first run.
const parts = {
  'n8n-workflow': {
    NodeConnectionTypes: { Main: 'main' },
    NodeOperationError: class extends Error {},
    sanitizeXmlName: (name) => name,
  },
  'moment-timezone': () => ({ utc: () => ({ format: () => '2026-09-01T00:00:00Z' }) }),
}
const load = Module._load
Module._load = (name, ...rest) => parts[name] ?? load(name, ...rest)
const { RssFeedReadTrigger } = require('./package/dist/nodes/RssFeedRead/RssFeedReadTrigger.node.js')

const feedOf = (...ids) => {
  const items = ids.map(
    (id) =>
      `<item><title>Story ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid><pubDate>Thu, 0${id} Oct 2026 10:00:00 GMT</pubDate></item>`,
  )
  return `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link><description>News</description>${items.join('')}</channel></rss>`
}
const feeds = [feedOf(1), feedOf(3, 1), feedOf(3, 2, 1), feedOf(2, 1), feedOf(3, 2, 1)]
const stored = {}
const runtime = {
  getWorkflowStaticData: () => stored,
  getNodeParameter: () => 'https://www.example.org/news.rss',
  getMode: () => 'trigger',
  getNode: () => ({}),
  helpers: { returnJsonArray: (items) => items, httpRequest: async () => feeds.shift() },
}
async function run() {
  const passed = []
  while (feeds.length > 0) {
    const [items = []] = (await new RssFeedReadTrigger().poll.call(runtime)) ?? []
    passed.push(...items.map(({ title }) => title))
  }
  console.log(`passed on: ${passed.join(', ')}`)
}
run()
JS
node run.cjs | tee output
[ "$(cat output)" = 'passed on: Story 1, Story 3, Story 3' ]
