#!/usr/bin/env bash
# newsboat 2.21-1.5 (Debian 12) keeps only one item per guid across all feeds. If two feeds contain the
# same item, it moves to the feed that was read last, and disappears from the other feed.
#
# Output, with the number of unread items, which should be 1 + 2:
#   both feeds: 2 unread articles
#   only the first feed, which has 1 item: 0 unread articles
set -euo pipefail
directory=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq newsboat=2.21-1.5 libstfl0=0.22-3+b5 'libcurl3-gnutls=7.88.1*' libjson-c5 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu HOME=$directory

cat >server.mjs <<'JS'
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
const item = (id) =>
  `<item><title>Item ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid></item>`
const items = { '/news.rss': item(1), '/all.rss': item(2) + item(1) }
const server = createServer(({ url }, response) => {
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>${url}</title><link>https://www.example.org/</link><description>News</description>${items[url]}</channel></rss>`,
  )
})
server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${server.address().port}`
  writeFileSync('first', `${base}/news.rss\n`)
  writeFileSync('both', `${base}/news.rss\n${base}/all.rss\n`)
})
JS
node server.mjs &
server=$!
until [ -s both ]; do :; done

newsboat() { root/usr/bin/newsboat -u "$1" -c cache.db -x "$2"; }
newsboat both reload
both=$(newsboat both print-unread)
# Without a reload, newsboat shows what it has stored for this feed.
first=$(newsboat first print-unread)
echo "both feeds: $both"
echo "only the first feed, which has 1 item: $first"
[[ $both == '2 unread'* && $first == '0 unread'* ]]
