#!/usr/bin/env bash
# A part of an email needs no header (RFC 2046, 5.1): it can consist of its boundary, an empty line and
# plain text. mshow in mblaze 1.1-1 (Debian 12) mistakes that text for the header and shows an empty
# part. So the text of some bounces, and of emails from simple programs, is missing. A sender should
# write a Content-Type into each part.
#
# Output, for an email with two parts:
#   no header: 1: size=0, 2: size=13 Bring gloves.
#   Content-Type: text/plain: 1: size=24 The drill is on Tuesday., 2: size=13 Bring gloves.
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq mblaze=1.1-1 >/dev/null 2>&1
dpkg -x mblaze_*.deb root

show() { # HEADER of the first part
  cat >email <<EMAIL
From: pat@example.org
To: crew@example.org
Subject: Drill
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=part

--part
${1:+$1
}
The drill is on Tuesday.
--part
Content-Type: text/plain

Bring gloves.
--part--
EMAIL
  HOME=$directory root/usr/bin/mshow ./email | sed -n '/ 2: /,$p' |
    sed 's/--- --- 2: [^ ]*/1:/; s/--- --- 3: [^ ]*/, 2:/; s/ *---$//' | paste -sd ' ' | sed 's/ , /, /'
}
{
  echo "no header: $(show '')"
  echo "Content-Type: text/plain: $(show 'Content-Type: text/plain')"
} | tee output

diff output - <<'OUTPUT'
no header: 1: size=0, 2: size=13 Bring gloves.
Content-Type: text/plain: 1: size=24 The drill is on Tuesday., 2: size=13 Bring gloves.
OUTPUT
