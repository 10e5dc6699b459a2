#!/usr/bin/env bash
# rss2email 3.13.1-3 (Debian 12) sends plain text by default. It then prefers the summary of an Atom
# entry, whose type is text, to the content, whose type is html. Readers never get the whole text. In
# RSS, which does not name types, it sends the content.
#
# Output: Short summary
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
const entry = `<entry><title>Item</title><id>tag:example.org,2026:1</id><updated>2026-01-01T00:00:00Z</updated>
<link href="https://www.example.org/1"/><author><name>Pat Lee</name></author>
<summary type="text">Short summary</summary>
<content type="html">&lt;p&gt;The whole text&lt;/p&gt;</content></entry>`
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/atom+xml')
  response.end(
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>tag:example.org,2026:news</id><updated>2026-01-01T00:00:00Z</updated>${entry}</feed>`,
  )
})
server.listen(0, '127.0.0.1', () => writeFileSync('url', `http://127.0.0.1:${server.address().port}/news.atom`))
JS
node server.mjs &
server=$!
until [ -s url ]; do :; done

printf '[DEFAULT]\nto = reader@example.net\nemail-protocol = maildir\nmaildir-path = %s\nmaildir-mailbox = mail\n' \
  "$directory" >settings
r2e() { /usr/bin/python3 root/usr/bin/r2e -c settings -d state.json "$@" 2>/dev/null; }
r2e add news "$(cat url)"
r2e run
body=$(/usr/bin/python3 -c '
import email, email.policy, sys
message = email.message_from_binary_file(open(sys.argv[1], "rb"), policy=email.policy.default)
print(message.get_body().get_content().splitlines()[0])' mail/new/*)
echo "$body"
[[ $body == 'Short summary' ]]
