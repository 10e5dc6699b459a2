#!/usr/bin/env bash
# The name of an attachment is in filename* if it has characters other than those of ASCII, and in filename*0
# and so on if it is long (RFC 2231, 4 and 3). munpack from mpack 1.6-18+b1 (Debian 12), with which scripts
# save attachments, knows neither of them. It saves a text only if it has a name, so it skips such calendars.
# Publishers should send calendars with a short name in ASCII.
#
# Output, for an email with a calendar, by its name:
#   filename=events.ics: events.ics
#   filename*=utf-8''caf%C3%A9.ics: nothing
#   filename*0=events-; filename*1=2027.ics: nothing
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq mpack=1.6-18+b1 >/dev/null 2>&1
dpkg -x mpack*.deb root
export TMPDIR=$directory

for name in filename=events.ics "filename*=utf-8''caf%C3%A9.ics" 'filename*0=events-; filename*1=2027.ics'; do
  cat >email <<EMAIL
From: news@example.org
To: reader@example.net
Subject: Events
Date: Tue, 05 Jan 2027 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

The events.
--b
Content-Type: text/calendar; charset=utf-8
Content-Disposition: attachment; $name

BEGIN:VCALENDAR
END:VCALENDAR
--b--
EMAIL
  sed -i 's/$/\r/' email
  mkdir files
  root/usr/bin/munpack -q -C files "$directory/email" >/dev/null 2>&1
  saved=$(find files -name '*.ics' -printf '%f')
  echo "$name: ${saved:-nothing}"
  rm -r files
done | tee output

diff output - <<'OUTPUT'
filename=events.ics: events.ics
filename*=utf-8''caf%C3%A9.ics: nothing
filename*0=events-; filename*1=2027.ics: nothing
OUTPUT
