#!/usr/bin/env bash
# nullmailer 1:2.2-4 (Debian 12) sends no bounce if the response contains an IP address such as
# 192.0.2.1, because it takes 2.0.2 in it for a status code (RFC 3463). Needs root, and runs in a
# copy-on-write view of the system.
#
# Output:
#   550 Mail from example.net is blocked: Status: 5.0.0
#   550 Mail from 192.0.2.1 is blocked: nullmailer-send: nullmailer-dsn failed: 111
set -euo pipefail
if [ "${1-}" != inside ]; then exec unshare --mount bash "$0" inside; fi
directory=$(mktemp -d)
processes=()
cleanup() {
  kill "${processes[@]}" 2>/dev/null || true
  wait
  umount "$directory"/changes/root{/dev,} "$directory/changes" 2>/dev/null || true
  rm -rf "$directory"
}
trap cleanup EXIT
cd "$directory"

apt-get download -qq nullmailer=1:2.2-4 >/dev/null 2>&1
mkdir changes
mount -t tmpfs tmpfs changes
dpkg -x nullmailer*.deb changes/package
rm -r changes/package/lib
mkdir changes/{upper,work,root}
mount -t overlay overlay -o "lowerdir=changes/package:/,upperdir=changes/upper,workdir=changes/work" changes/root
root=$directory/changes/root
mount --bind /dev "$root/dev"

cat >server.mjs <<'JS'
import { createServer } from 'node:net'
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const server = createServer((socket) => {
  socket.on('error', () => {})
  const send = (line) => socket.write(`${line}\r\n`)
  send('220 mx.example.net')
  const lines = createInterface(socket).on('error', () => {})
  lines.on('line', (line) => {
    if (/^RCPT TO:<name@/i.test(line)) send('550 Mail from example.net is blocked')
    else if (/^RCPT TO:<number@/i.test(line)) send('550 Mail from 192.0.2.1 is blocked')
    else if (/^RCPT/i.test(line)) send('450 later')
    else send('250 ok')
  })
})
server.listen(0, '127.0.0.1', () => writeFileSync('port', `${server.address().port}\n`))
JS
node server.mjs &
processes+=($!)
until [ -s port ]; do :; done

spool=$root/var/spool/nullmailer
mkdir -p "$root/etc/nullmailer" "$spool"/{queue,failed,tmp}
echo mail.example.org >"$root/etc/mailname"
echo "127.0.0.1 smtp --port=$(cat port)" >"$root/etc/nullmailer/remotes"
echo 1 | tee "$root/etc/nullmailer/pausetime" >"$root/etc/nullmailer/maxpause"
mkfifo "$spool/trigger"
chown -R mail "$spool"
chroot "$root" /usr/sbin/nullmailer-send >log 2>&1 &
processes+=($!)

refuse() { # RECIPIENT PATTERN
  chroot "$root" /usr/sbin/sendmail -f news@example.org "$1@example.net" <<<'Subject: News' 2>/dev/null
  until grep -aohE "$2" log "$spool"/queue/* 2>/dev/null; do sleep 0.1; done
}
{
  echo "550 Mail from example.net is blocked: $(refuse name '^Status: .*')"
  echo "550 Mail from 192.0.2.1 is blocked: $(refuse number '^nullmailer-send: nullmailer-dsn failed.*')"
} | tee output

diff output - <<'OUTPUT'
550 Mail from example.net is blocked: Status: 5.0.0
550 Mail from 192.0.2.1 is blocked: nullmailer-send: nullmailer-dsn failed: 111
OUTPUT
