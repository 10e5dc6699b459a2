#!/usr/bin/env bash
# Thunderbird 1:153.8.0esr-1~deb12u1 (Debian 12) inserts the HTML of a feed's item into its message
# with JavaScript's String.replace, where $$ means a dollar sign, and $' the text after the match. So
# dollar signs get lost, and the end of the page appears in the text. Needs the libraries of GTK 3.
#
# Output, the text of two items:
#   in the feed:    <p>Win $$$ tonight</p>
#   in Thunderbird: <p>Win $$ tonight</p>
#   in the feed:    <p>The US$'s value</p>
#   in Thunderbird: <p>The US </body></html>s value</p>
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
const item = (id, text) =>
  `<item><title>Item ${id}</title><link>https://www.example.org/${id}</link><guid>https://www.example.org/${id}</guid><description>&lt;p&gt;${text}&lt;/p&gt;</description></item>`
const server = createServer((_request, response) => {
  response.setHeader('Content-Type', 'application/rss+xml')
  response.end(
    `<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link><description>News</description>${item(1, 'Win $$$ tonight')}${item(2, "The US$'s value")}</channel></rss>`,
  )
})
server.listen(0, '127.0.0.1', () => writeFileSync('url', `http://127.0.0.1:${server.address().port}/news.rss`))
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

# Subscribes to the feed by remote control. Each message starts with its length and a colon.
cat >subscribe.mjs <<'JS'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
const script = `
  const [url, done] = arguments
  const { FeedUtils } = ChromeUtils.importESModule('resource:///modules/FeedUtils.sys.mjs')
  const { progressNotifier } = FeedUtils
  const { downloaded } = progressNotifier
  progressNotifier.downloaded = (...result) => {
    downloaded.apply(progressNotifier, result)
    done()
  }
  FeedUtils.subscribeToFeed(url)`
const commands = [
  ['WebDriver:NewSession', {}],
  ['Marionette:SetContext', { value: 'chrome' }],
  ['WebDriver:ExecuteAsyncScript', { script, args: [readFileSync('url', 'utf8')] }],
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

shown() { # ITEM
  tr -d '\r\n' <profile/Mail/Feeds/News | grep -o "Subject: Item $1.*" | grep -o '<p>.*' | sed 's/<\/p>.*/<\/p>/; s/  */ /g'
}
{
  echo "in the feed:    <p>Win \$\$\$ tonight</p>"
  echo "in Thunderbird: $(shown 1)"
  echo "in the feed:    <p>The US\$'s value</p>"
  echo "in Thunderbird: $(shown 2)"
} | tee output

diff output - <<'OUTPUT'
in the feed:    <p>Win $$$ tonight</p>
in Thunderbird: <p>Win $$ tonight</p>
in the feed:    <p>The US$'s value</p>
in Thunderbird: <p>The US </body></html>s value</p>
OUTPUT
