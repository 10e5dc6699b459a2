#!/usr/bin/env bash
# sendmail 8.17.1.9-2+deb12u2 (Debian 12) writes "Status: 5.1.1" (no such mailbox) into the bounce for
# every 550 response to RCPT, even if the response has another status code (RFC 3463), unless the
# server announces ENHANCEDSTATUSCODES (RFC 2034). Only Diagnostic-Code has the reason. Needs root.
#
# Output, without and with ENHANCEDSTATUSCODES:
#   Status: 5.1.1
#   Diagnostic-Code: SMTP; 550 5.7.1 Message refused by policy
#   Status: 5.7.1
#   Diagnostic-Code: SMTP; 550 5.7.1 Message refused by policy
set -euo pipefail
# sendmail waits for a minute if the host's name has no dot.
if [ "$(uname -n)" != mail.example.org ]; then
  exec unshare --uts bash -c 'hostname mail.example.org && exec bash "$0"' "$0"
fi
directory=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq sendmail-bin=8.17.1.9-2+deb12u2 sendmail-cf=8.17.1.9-2+deb12u2 m4=1.4.19-3 \
  libsigsegv2=2.14-1 'libdb5.3=5.3.28*' 'libldap-2.5-0=2.5.13*' 'libsasl2-2=2.1.28*' \
  libwrap0=7.6.q-32 'liblockfile1=1.17*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

cat >server.mjs <<'JS'
import { createServer } from 'node:net'
import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const server = createServer((socket) => {
  socket.on('error', () => {})
  const send = (line) => socket.write(`${line}\r\n`)
  let inData = false
  send('220 mx.example.net')
  createInterface(socket).on('line', (line) => {
    if (inData) {
      appendFileSync('bounce', `${line}\n`)
      inData = line !== '.'
      if (!inData) send('250 ok')
    } else if (/^EHLO/i.test(line)) {
      if (existsSync('announced')) send('250-mx.example.net\r\n250 ENHANCEDSTATUSCODES')
      else send('250 mx.example.net')
    } else if (/^RCPT TO:<reader@/i.test(line)) send('550 5.7.1 Message refused by policy')
    else if (/^DATA/i.test(line)) {
      inData = true
      send('354 go')
    } else send('250 2.0.0 ok')
  })
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', `${server.address().port}\n`))
JS
node server.mjs &
server=$!
until [ -s port ]; do :; done

mkdir queue
chmod 700 . queue
# Without name servers.
echo hosts files >services
cat >sendmail.mc <<MC
include(\`$directory/root/usr/share/sendmail/cf/m4/cf.m4')
OSTYPE(\`linux')
FEATURE(\`nocanonify')
FEATURE(\`accept_unresolvable_domains')
define(\`SMART_HOST', \`esmtp:[127.0.0.1]')
define(\`ESMTP_MAILER_ARGS', \`TCP \$h $(cat port)')
define(\`QUEUE_DIR', \`$directory/queue')
define(\`STATUS_FILE', \`$directory/statistics')
define(\`confDOMAIN_NAME', \`mail.example.org')
define(\`confPID_FILE', \`$directory/pid')
define(\`confSERVICE_SWITCH_FILE', \`$directory/services')
define(\`confDONT_BLAME_SENDMAIL', \`TrustStickyBit')
MAILER(\`smtp')
MC
root/usr/bin/m4 -D_CF_DIR_="$directory/root/usr/share/sendmail/cf/" sendmail.mc >sendmail.cf

refuse() {
  : >bounce
  root/usr/libexec/sendmail/sendmail -C "$directory/sendmail.cf" -odi -i -f news@example.org reader@example.net \
    <<<"Subject: News" >/dev/null 2>&1 || true
  until grep -qx '\.' bounce; do sleep 0.1; done
  grep -E '^(Status|Diagnostic-Code):' bounce
}
{
  refuse
  touch announced
  refuse
} | tee output

diff output - <<'OUTPUT'
Status: 5.1.1
Diagnostic-Code: SMTP; 550 5.7.1 Message refused by policy
Status: 5.7.1
Diagnostic-Code: SMTP; 550 5.7.1 Message refused by policy
OUTPUT
