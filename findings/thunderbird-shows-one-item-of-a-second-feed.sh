#!/usr/bin/env bash
# Thunderbird 1:153.8.0esr-1~deb12u1 (Debian 12) stores an item only once in a feed account, by its
# id. If two feeds have the same items, the folder of the second one has only its first item, because
# Thunderbird looks for known items only after it has created the folder. Needs the libraries of GTK 3.
#
# Output, after subscribing to two feeds with the same three items:
#   News: Item 1, Item 2, Item 3
#   All: Item 1
set -euo pipefail
directory=$(mktemp -d)
processes=()
cleanup() {
  kill "${processes[@]}" 2>/dev/null || true
  wait
  rm -rf "$directory"
}
trap cleanup EXIT
cd "$directory"

apt-get download -qq thunderbird=1:153.8.0esr-1~deb12u1 libvpx7=1.12.0-1+deb12u5 \
  libotr5=4.1.1-5 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu HOME=$directory

cat >server.mjs <<'JS'
import { createServer } from 'node:http'
import { writeFileSync } from 'node:fs'
const item = (id) =>
  `<item><title>Item ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid></item>`
const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>${request.url.slice(1)}</title><link>https://www.example.org/</link><description>News</description>${item(1)}${item(2)}${item(3)}</channel></rss>`,
  )
})
server.listen(0, '127.0.0.1', () => writeFileSync('url', `http://127.0.0.1:${server.address().port}/`))
JS
node server.mjs &
processes+=($!)
until [ -s url ]; do sleep 0.1; done

mkdir profile
cat >profile/user.js <<'JS'
user_pref('marionette.port', 0);
user_pref('mail.provider.suppress_dialog_on_startup', true);
user_pref('places.history.enabled', false);
JS
root/usr/lib/thunderbird/thunderbird-bin --headless --no-remote --profile profile --marionette \
  --remote-allow-system-access >/dev/null 2>&1 &
processes+=($!)
until [ -s profile/MarionetteActivePort ]; do sleep 0.1; done

# Subscribes to the feeds by remote control. Each message starts with its length and a colon.
cat >subscribe.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
const script = `
  const [url, done] = arguments
  const { FeedUtils } = ChromeUtils.importESModule('resource:///modules/FeedUtils.sys.mjs')
  const { progressNotifier } = FeedUtils
  const { downloaded } = progressNotifier
  progressNotifier.downloaded = (...result) => {
    progressNotifier.downloaded = downloaded
    progressNotifier.downloaded(...result)
    done()
  }
  FeedUtils.subscribeToFeed(url)`
const subscribe = (name) => {
  const args = [readFileSync('url', 'utf8') + name]
  return ['WebDriver:ExecuteAsyncScript', { script, args }]
}
const commands = [
  ['WebDriver:NewSession', {}],
  ['Marionette:SetContext', { value: 'chrome' }],
  subscribe('News'),
  subscribe('All'),
].entries()
const socket = connect(Number(readFileSync('profile/MarionetteActivePort', 'utf8')), '127.0.0.1')
let received = ''
socket.on('data', (chunk) => {
  received += chunk
  const [start = '', length = Infinity] = /^(\d+):/.exec(received) ?? []
  if (received.length < start.length + Number(length)) return
  received = ''
  const { value, done } = commands.next()
  if (done) return socket.end()
  const [id, [name, parameters]] = value
  const message = JSON.stringify([0, id, name, parameters])
  socket.write(`${message.length}:${message}`)
})
JS
node subscribe.mjs

for name in News All; do
  titles=$(sed -n 's/^Subject: \([^\r]*\).*/\1/p' "profile/Mail/Feeds/$name" | sort | paste -sd ,)
  echo "$name: ${titles//,/, }"
done | tee output

diff output - <<'OUTPUT'
News: Item 1, Item 2, Item 3
All: Item 1
OUTPUT
