#!/usr/bin/env bash
# Makes the bounces in this directory again, with the mail servers of Debian 12. Run by hand, as
# root, with mmdebstrap installed. Each server runs in its own root directory, sends to a server on
# 127.0.0.1 that refuses the recipients, and returns the bounces to it.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
mounted=()
cleanup() {
  for directory in "${mounted[@]}"; do umount "$directory"; done
  rm -rf "$work"
}
trap cleanup EXIT

install_server() { # NAME PACKAGE
  root="$work/$1"
  mmdebstrap --quiet --variant=minbase --include="$2" bookworm "$root"
  mount --bind /proc "$root/proc"
  mounted+=("$root/proc")
  echo mail.example.org >"$root/etc/mailname"
}

record() { # NAME PORT COMMAND...
  node record.ts "$root" "$@"
}

install_server exim exim4-daemon-light
cat >"$root/etc/exim4/exim4.conf" <<'CONFIGURATION'
primary_hostname = mail.example.org
qualify_domain = example.org
disable_ipv6 = true
begin routers
all:
  driver = manualroute
  transport = out
  route_list = * 127.0.0.1 byname
  self = send
begin transports
out:
  driver = smtp
  port = 2525
  allow_localhost
CONFIGURATION
record exim 2525 /usr/sbin/exim4 -odf -f news@example.org

install_server dma dma
cat >"$root/etc/dma/dma.conf" <<'CONFIGURATION'
SMARTHOST 127.0.0.1
PORT 2525
MAILNAME mail.example.org
CONFIGURATION
record dma 2525 /usr/sbin/dma -D -f news@example.org

install_server opensmtpd opensmtpd
cat >"$root/etc/smtpd.conf" <<'CONFIGURATION'
listen on socket
action "out" relay host smtp://127.0.0.1:2525
match from any for any action "out"
CONFIGURATION
chroot "$root" /usr/sbin/smtpd -d 2>"$work/smtpd.log" &
server=$!
until [ -S "$root/var/run/smtpd.sock" ]; do sleep 0.1; done
record opensmtpd 2525 /usr/sbin/sendmail -f news@example.org
kill "$server"
wait "$server" || true

install_server courier courier-mta
echo mail.example.org >"$root/etc/courier/me"
echo example.org >"$root/etc/courier/defaultdomain"
echo ':[127.0.0.1],2525' >"$root/etc/courier/esmtproutes"
chroot "$root" /usr/sbin/courier start
record courier 2525 /usr/sbin/sendmail -f news@example.org
chroot "$root" /usr/sbin/courier stop
