#!/usr/bin/env bash
# An invitation is a multipart/alternative with its text as text/plain and as text/calendar, and email
# programs show the last version that they can display well (RFC 2046, 5.1.4). MHonArc 2.6.19-2.2 (Debian
# 12), which archives mailing lists as web pages, can't display calendars, but treats text/calendar as
# plain text. So the archive shows the calendar's source code instead of the text. It shows the text if
# the calendar is an attachment.
#
# Output, with the text of the web page:
#   alternative: BEGIN:VCALENDAR VERSION:2.0 END:VCALENDAR
#   mixed: The drill moves to Tuesday. BEGIN:VCALENDAR VERSION:2.0 END:VCALENDAR
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq mhonarc=2.6.19-2.2 >/dev/null 2>&1
dpkg -x mhonarc_*.deb root
export PERL5LIB=$directory/root/usr/share/mhonarc HOME=$directory LC_ALL=C.UTF-8

page() { # SUBTYPE
  cat >email <<EMAIL
From: pat@example.org
To: crew@example.org
Subject: Drill
Date: Tue, 05 Jan 2027 19:00:00 +0000
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/$1; boundary=part

--part
Content-Type: text/plain; charset=utf-8

The drill moves to Tuesday.
--part
Content-Type: text/calendar; charset=utf-8; method=REQUEST

BEGIN:VCALENDAR
VERSION:2.0
END:VCALENDAR
--part--
EMAIL
  /usr/bin/perl root/usr/bin/mhonarc -single email 2>/dev/null |
    sed -n '/X-Body-of-Message-->/,/X-Body-of-Message-End/p' | sed 's/<[^>]*>/ /g' | xargs
}
{
  echo "alternative: $(page alternative)"
  echo "mixed: $(page mixed)"
} | tee output

diff output - <<'OUTPUT'
alternative: BEGIN:VCALENDAR VERSION:2.0 END:VCALENDAR
mixed: The drill moves to Tuesday. BEGIN:VCALENDAR VERSION:2.0 END:VCALENDAR
OUTPUT
