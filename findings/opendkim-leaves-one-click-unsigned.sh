#!/usr/bin/env bash
# One-click unsubscribe needs a DKIM signature that covers List-Unsubscribe and List-Unsubscribe-Post (RFC
# 8058, 4). OpenDKIM 2.11.0~beta2-8 (Debian 12) signs the first one but not the second one, because its
# list of fields is older (RFC 6376, 5.4.1). Readers may then get no button to unsubscribe.
#
# Output, with the fields that the signature covers (h=):
#   default: List-Unsubscribe
#   SignHeaders *,+List-Unsubscribe-Post: List-Unsubscribe, List-Unsubscribe-Post
set -euo pipefail
directory=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null || true; rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq opendkim=2.11.0~beta2-8+deb12u1 miltertest=2.11.0~beta2-8+deb12u1 \
  libopendkim11=2.11.0~beta2-8+deb12u1 libvbr2=2.11.0~beta2-8+deb12u1 librbl1=2.11.0~beta2-8+deb12u1 \
  'libmilter1.0.1=8.17.1.9*' 'libopendbx1=1.4.6*' 'liblua5.3-0=5.3.6*' 'libmemcached11=1.1.4*' \
  'libhashkit2=1.1.4*' 'libbsd0=0.11.7*' 'libmd0=1.0.4*' 'libdb5.3=5.3.28*' 'libldap-2.5-0=2.5.13*' \
  'libsasl2-2=2.1.28*' 'libunbound8=1.17.1*' 'libevent-2.1-7=2.1.12*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu:$directory/root/usr/lib
node -e "
const { privateKey } = require('node:crypto').generateKeyPairSync('rsa', { modulusLength: 2048 })
console.log(privateKey.export({ type: 'pkcs1', format: 'pem' }))" >key
chmod 600 key

cat >send.lua <<'LUA'
conn = mt.connect("local:milter", 40, 0.05)
mt.conninfo(conn, "mail.example.org", "127.0.0.1")
mt.mailfrom(conn, "news@example.org")
mt.rcptto(conn, "reader@example.net")
mt.header(conn, "From", "news@example.org")
mt.header(conn, "To", "reader@example.net")
mt.header(conn, "Subject", "News")
mt.header(conn, "Date", "Thu, 01 Oct 2026 10:00:00 +0000")
mt.header(conn, "List-Unsubscribe", "<https://www.example.org/unsubscribe/1>")
mt.header(conn, "List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
mt.eoh(conn)
mt.bodystring(conn, "The news.\r\n")
mt.eom(conn)
mt.echo(mt.getheader(conn, "DKIM-Signature", 0))
mt.disconnect(conn)
LUA

signed() { # LINE OF THE CONFIGURATION
  cat >opendkim.conf <<CONF
Mode s
Domain example.org
Selector mail
KeyFile $directory/key
Socket local:$directory/milter
Background no
RequireSafeKeys no
$1
CONF
  rm -f milter
  root/usr/sbin/opendkim -f -x opendkim.conf &
  server=$!
  root/usr/bin/miltertest -s send.lua | tr -d ' \n\t' | grep -o ';h=[^;]*' | sed 's/^;h=//' | tr : '\n' |
    grep '^List-' | paste -sd ,
  kill $server
  wait $server 2>/dev/null || true
}
{
  echo "default: $(signed '')"
  line='SignHeaders *,+List-Unsubscribe-Post'
  echo "$line: $(signed "$line")"
} | sed 's/,List/, List/' | tee output

diff output - <<'OUTPUT'
default: List-Unsubscribe
SignHeaders *,+List-Unsubscribe-Post: List-Unsubscribe, List-Unsubscribe-Post
OUTPUT
