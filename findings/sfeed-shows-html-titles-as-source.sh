#!/usr/bin/env bash
# A title with type="html" is HTML, so a reader has to decode the entities in it (RFC 4287, 3.1.1.2).
# sfeed 1.7-1 (Debian 12) ignores the type, and treats all titles as text. So it shows &amp; instead of & in
# such titles, and the pages that it writes do so, too. Publishers should write titles as text.
#
# Output, with the title of the same item in sfeed_plain and sfeed_html:
#   text: Q & A; Q &amp; A
#   html: Q &amp; A; Q &amp;amp; A
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq sfeed=1.7-1 >/dev/null 2>&1
dpkg -x sfeed*.deb root
export TZ=UTC

mkdir feeds
for type in text html; do
  title='Q &amp; A'
  if [ $type = html ]; then title=${title//&/&amp;}; fi
  cat >news.atom <<ATOM
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:example.org,2027:news</id><title>News</title><updated>2027-01-05T19:00:00Z</updated>
  <author><name>Example</name></author>
  <entry>
    <id>tag:example.org,2027:1</id><title type="$type">$title</title><link href="https://www.example.org/1"/>
    <updated>2027-01-05T19:00:00Z</updated><content>Minutes</content>
  </entry>
</feed>
ATOM
  root/usr/bin/sfeed <news.atom >feeds/news
  plain=$(root/usr/bin/sfeed_plain feeds/news | grep -o 'Q .*A')
  html=$(root/usr/bin/sfeed_html feeds/news | grep -o 'Q .*A<' | tr -d '<')
  echo "$type: $plain; $html"
done | tee output

diff output - <<'OUTPUT'
text: Q & A; Q &amp; A
html: Q &amp; A; Q &amp;amp; A
OUTPUT
