#!/usr/bin/env bash
# newsboat 2.21-1.5 (Debian 12, libcurl 7.88.1) drops a 200 response whose Last-Modified is not later
# than that of the previous response. It still stores the new ETag, so it gets 304 from then on, and
# never shows the new item. RFC 9110, 13.1.3: a recipient must ignore If-Modified-Since if the request
# contains If-None-Match; here, the client compares the dates itself.
#
# Output, with each request and response:
#   none -> 200 v1
#   none -> 200 v1
#   v1 -> 200 v2
#   v2 -> 304 v2
#   newsboat shows 1 of 2 items
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
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
const item = (id) =>
  `<item><title>Item ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid></item>`
const server = createServer((request, response) => {
  const version = existsSync('changed') ? 'v2' : 'v1'
  const known = request.headers['if-none-match']?.replaceAll('"', '')
  const status = known === version ? 304 : 200
  appendFileSync('log', `${known ?? 'none'} -> ${status} ${version}\n`)
  response.writeHead(status, {
    'Content-Type': 'application/rss+xml',
    'Last-Modified': 'Thu, 01 Oct 2026 10:00:00 GMT',
    ETag: `"${version}"`,
  })
  const items = version === 'v1' ? item(1) : item(2) + item(1)
  const body = `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link><description>News</description>${items}</channel></rss>`
  response.end(status === 304 ? undefined : body)
})
server.listen(0, '127.0.0.1', () => writeFileSync('url', `http://127.0.0.1:${server.address().port}/news.rss\n`))
JS
node server.mjs &
server=$!
until [ -s url ]; do :; done

newsboat() { root/usr/bin/newsboat -u url -c cache.db -x "$1"; }
# newsboat does not store the validators of the first response.
newsboat reload
newsboat reload
touch changed
newsboat reload
newsboat reload
shown=$(newsboat print-unread)
cat log
echo "newsboat shows ${shown%% *} of 2 items"

diff log - <<'LOG'
none -> 200 v1
none -> 200 v1
v1 -> 200 v2
v2 -> 304 v2
LOG
[ "${shown%% *}" = 1 ]
