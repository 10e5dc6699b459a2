#!/usr/bin/env bash
# Makes the bounces in this directory again, with the mail servers of Debian 12. Run by hand, as
# root, with mmdebstrap and Node 24 installed. Each server runs in its own root directory, without a
# network. It sends to a server on 127.0.0.1 that refuses the recipients, and returns the bounces to
# it.
set -euo pipefail
cd "$(dirname "$0")"

if [ $# = 0 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  for packages in exim4-daemon-light dma opensmtpd courier-mta postfix nullmailer \
    sendmail-bin,sendmail-cf,m4; do
    mmdebstrap --quiet --variant=minbase --include="$packages" bookworm "$work/${packages%%,*}"
  done
  unshare --net --uts --mount --pid --fork --kill-child "./$(basename "$0")" "$work"
  exit
fi

work=$1
hostname mail.example.org
ip link set lo up

enter() { # PACKAGE
  package=$1
  root=$work/$package
  mount -t proc proc "$root/proc"
  echo mail.example.org >"$root/etc/mailname"
  echo 127.0.0.1 localhost mail.example.org >"$root/etc/hosts"
  echo nameserver 127.0.0.1 >"$root/etc/resolv.conf"
}

record() { # COUNT SEND QUEUE RECIPIENT...
  version=$(chroot "$root" dpkg-query --show --showformat '${source:Upstream-Version}' "$package")
  node record.ts "$root" "${package%%[4-]*}-$version" "$@"
}

enter exim4-daemon-light
cat >"$root/etc/exim4/exim4.conf" <<'CONFIGURATION'
primary_hostname = mail.example.org
qualify_domain = example.org
disable_ipv6 = true
delay_warning = 1s
begin routers
forward:
  driver = redirect
  domains = example.com
  data = gone@example.net, member@example.net
direct:
  driver = dnslookup
  domains = unknown.example
  transport = out
  no_more
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
begin retry
* * F,4s,1s
CONFIGURATION
record 15 '/usr/sbin/exim4 -odf -f news@example.org' '/usr/sbin/exim4 -qff' \
  forwarded@example.com someone@unknown.example

enter dma
cat >"$root/etc/dma/dma.conf" <<'CONFIGURATION'
SMARTHOST 127.0.0.1
PORT 2525
MAILNAME mail.example.org
CONFIGURATION
# It sleeps between retries, and gives up after five days.
record 13 'timeout 5 /usr/sbin/dma -D -f news@example.org' \
  "touch --date='6 days ago' /var/spool/dma/*; timeout 5 /usr/sbin/dma -D -q"

enter opensmtpd
cat >"$root/etc/smtpd.conf" <<'CONFIGURATION'
queue ttl 5s
bounce warn-interval 1s
listen on socket
table forwards { "forwarded@example.com" = "gone@example.net,member@example.net" }
action "forward" expand-only virtual <forwards>
action "direct" relay
action "out" relay host smtp://127.0.0.1:2525
match from any for domain "example.com" action "forward"
match from any for domain "unknown.example" action "direct"
match from any for any action "out"
CONFIGURATION
chroot "$root" /usr/sbin/smtpd -d 2>"$work/smtpd.log" &
until [ -S "$root/run/smtpd.sock" ]; do sleep 0.1; done
record 16 '/usr/sbin/sendmail -f news@example.org' 'smtpctl schedule all' \
  forwarded@example.com someone@unknown.example

enter courier-mta
cd "$root/etc/courier"
echo mail.example.org >me
echo example.org >defaultdomain
echo example.com >hosteddomains/example.com
printf '%s\n' unknown.example: ':[127.0.0.1],2525' >esmtproutes
# It sends no bounces for aliases of several people.
echo forwarded@example.com: gone@example.net >aliases/system
# Otherwise, the installation adds the name of this machine.
echo mailer-daemon@mail.example.org >dsnfrom
echo 5s >queuetime
echo 1s | tee warntime retryalpha >retrybeta
cd "$OLDPWD"
chroot "$root" sh -c 'makehosteddomains && makealiases && courier start'
record 16 '/usr/sbin/sendmail -f news@example.org' 'courier flush' \
  forwarded@example.com someone@unknown.example

enter postfix
cat >"$root/etc/postfix/main.cf" <<'CONFIGURATION'
compatibility_level = 3.6
myhostname = mail.example.org
mydestination =
inet_interfaces = loopback-only
relayhost = [127.0.0.1]:2525
virtual_alias_maps = inline:{ { forwarded@example.com = gone@example.net, member@example.net } }
transport_maps = inline:{unknown.example=smtp:unknown.example}
delay_warning_time = 1s
maximal_queue_lifetime = 4s
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
CONFIGURATION
chroot "$root" sh -c 'postconf -F "*/*/chroot=n" && postconf -MX smtp/inet && postfix start'
record 16 '/usr/sbin/sendmail -f news@example.org' 'postqueue -f' \
  forwarded@example.com someone@unknown.example

enter nullmailer
cd "$root/etc/nullmailer"
echo 127.0.0.1 smtp --port=2525 >remotes
echo 1 | tee pausetime >maxpause
echo 10 >sendtimeout
echo 30 >queuelifetime
cd "$OLDPWD"
mkfifo --mode=622 "$root/var/spool/nullmailer/trigger"
chroot "$root" /usr/sbin/nullmailer-send &
# It fails to write a bounce if the response contains an IP address such as 192.0.2.1.
record 12 '/usr/sbin/sendmail -f news@example.org' true

enter sendmail-bin
cat >"$root/etc/mail/sendmail.mc" <<'CONFIGURATION'
define(`_USE_ETC_MAIL_')
include(`/usr/share/sendmail/cf/m4/cf.m4')
OSTYPE(`debian')
DOMAIN(`debian-mta')
define(`SMART_HOST', `esmtp:[127.0.0.1]')
define(`ESMTP_MAILER_ARGS', `TCP $h 2525')
define(`confTO_QUEUEWARN', `1s')
define(`confTO_QUEUERETURN', `15s')
FEATURE(`nocanonify')
FEATURE(`mailertable')
FEATURE(`virtusertable')
VIRTUSER_DOMAIN(`example.com')
MAILER(`local')
MAILER(`smtp')
CONFIGURATION
cat >"$work/configure" <<'COMMANDS'
cd /etc/mail
m4 sendmail.mc >sendmail.cf
echo unknown.example esmtp:unknown.example | makemap hash mailertable
echo forwarded@example.com group | makemap hash virtusertable
echo group: gone@example.net, member@example.net >aliases
newaliases
COMMANDS
chroot "$root" sh <"$work/configure"
record 16 '/usr/sbin/sendmail -Am -odi -i -f news@example.org' '/usr/sbin/sendmail -Am -q' \
  forwarded@example.com someone@unknown.example
