#!/usr/bin/env bash
# A time in Atom has an offset from UTC (RFC 4287, 3.3). rsstail 1.8-1+b1 (Debian 12), which shows and
# announces new items, and libmrss 0.19.2, the library that it uses, ignore the offset, and say that every
# day is a Sunday, because they never determine the weekday. Publishers should write times in UTC, which
# are right except for the weekday, or RSS, whose times rsstail shows unchanged.
#
# Output, for January 5, 2027, a Tuesday:
#   2027-01-05T19:00:00Z: Sun, 05 Jan 2027 19:00:00 +0000
#   2027-01-05T14:00:00-05:00: Sun, 05 Jan 2027 14:00:00 +0000
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq rsstail=1.8-1+b1 libmrss0=0.19.2-7 libnxml0=0.18.4-1 'libcurl3-gnutls=7.88.1*' \
  >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu

for time in 2027-01-05T19:00:00Z 2027-01-05T14:00:00-05:00; do
  cat >news.atom <<ATOM
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:example.org,2027:news</id><title>News</title><updated>$time</updated>
  <author><name>Example</name></author>
  <entry>
    <id>tag:example.org,2027:1</id><title>Minutes</title><link href="https://www.example.org/1"/>
    <updated>$time</updated><content>Approved.</content>
  </entry>
</feed>
ATOM
  shown=$(root/usr/bin/rsstail -1 -p -u "file://$directory/news.atom")
  echo "$time: ${shown##*Pub.date: }"
done | tee output

diff output - <<'OUTPUT'
2027-01-05T19:00:00Z: Sun, 05 Jan 2027 19:00:00 +0000
2027-01-05T14:00:00-05:00: Sun, 05 Jan 2027 14:00:00 +0000
OUTPUT
