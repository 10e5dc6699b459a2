#!/usr/bin/env bash
# rss2email 3.13.1-3 (Debian 12) writes a literal "<author>" into the sender's name if neither the item
# nor the feed has an author. RSS 2.0 requires neither.
#
# Output: From: "News: <author>" <user@rss2email.invalid>
set -euo pipefail
directory=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq rss2email=1:3.13.1-3 python3-feedparser=6.0.10-1 python3-sgmllib3k=1.0.0-4 \
  python3-html2text=2020.1.16-2 >/dev/null
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages HOME=$directory

cat >server.mjs <<'JS'
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
const item = '<item><title>Item</title><link>https://www.example.org/1</link><guid>https://www.example.org/1</guid></item>'
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link><description>News</description>${item}</channel></rss>`,
  )
})
server.listen(0, '127.0.0.1', () => writeFileSync('url', `http://127.0.0.1:${server.address().port}/news.rss`))
JS
node server.mjs &
server=$!
until [ -s url ]; do :; done

printf '[DEFAULT]\nto = reader@example.net\nemail-protocol = maildir\nmaildir-path = %s\nmaildir-mailbox = mail\n' \
  "$directory" >settings
r2e() { /usr/bin/python3 root/usr/bin/r2e -c settings -d state.json "$@" 2>/dev/null; }
r2e add news "$(cat url)"
r2e run
from=$(grep -h '^From:' mail/new/*)
echo "$from"
[[ $from == 'From: "News: <author>" <'* ]]
