#!/usr/bin/env bash
# format=flowed lets email programs join lines that end with a space, and DelSp=yes means that this space
# is not part of the text (RFC 3676, 3 and 4.1), so that long URLs can be broken. Apple Mail writes such
# emails. MHonArc 2.6.19-2.2 (Debian 12), which archives mailing lists as web pages, supports
# format=flowed, but not DelSp. So a long URL becomes a link to only its first line, which is another
# page.
#
# Output, with the target of the link to https://www.example.org/announcements/2027:
#   DelSp=yes: https://www.example.org/
#   on one line: https://www.example.org/announcements/2027
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq mhonarc=2.6.19-2.2 >/dev/null 2>&1
dpkg -x mhonarc_*.deb root
export PERL5LIB=$directory/root/usr/share/mhonarc HOME=$directory LC_ALL=C.UTF-8

link() { # ADDRESS
  cat >email <<EMAIL
From: pat@example.org
To: crew@example.org
Subject: News
Date: Tue, 05 Jan 2027 19:00:00 +0000
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii; format=flowed; delsp=yes

$1
EMAIL
  /usr/bin/perl root/usr/bin/mhonarc -single email 2>/dev/null |
    sed -n '/X-Body-of-Message-->/,/X-Body-of-Message-End/p' | grep -o 'href="[^"]*"' | cut -d '"' -f 2
}
{
  echo "DelSp=yes: $(link $'https://www.example.org/ \nannouncements/2027')"
  echo "on one line: $(link https://www.example.org/announcements/2027)"
} | tee output

diff output - <<'OUTPUT'
DelSp=yes: https://www.example.org/
on one line: https://www.example.org/announcements/2027
OUTPUT
