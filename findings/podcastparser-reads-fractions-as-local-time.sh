#!/usr/bin/env bash
# A time in Atom can have a fraction of a second (RFC 4287, 3.3; RFC 3339, 5.6), and JavaScript's
# toISOString always writes one. python3-podcastparser 0.6.9-1 (Debian 12), which gPodder and
# Mopidy-Podcast use to read feeds, then ignores the Z and treats the rest as the computer's local time. In
# New York, an item's time is five hours late, so a new item is in the future. A publisher can avoid this
# by writing whole seconds.
#
# Output, in New York:
#   2027-01-05T19:00:00Z: 2027-01-05 19:00 UTC
#   2027-01-05T19:00:00.000Z: 2027-01-06 00:00 UTC
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-podcastparser=0.6.9-1 >/dev/null 2>&1
dpkg -x python3-podcastparser*.deb root

cat >read.py <<'PYTHON'
from datetime import datetime, timezone
from io import StringIO
import podcastparser
for time in ['2027-01-05T19:00:00Z', '2027-01-05T19:00:00.000Z']:
    feed = f'''<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:example.org,2027:news</id><title>News</title><updated>{time}</updated>
  <author><name>Example</name></author>
  <entry>
    <id>tag:example.org,2027:1</id><title>Minutes</title><link href="https://www.example.org/1"/>
    <published>{time}</published><updated>{time}</updated><content>Approved.</content>
  </entry>
</feed>'''
    [entry] = podcastparser.parse('https://www.example.org/news.atom', StringIO(feed))['episodes']
    shown = datetime.fromtimestamp(entry['published'], timezone.utc)
    print(f'{time}: {shown:%Y-%m-%d %H:%M} UTC')
PYTHON
TZ=America/New_York PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
2027-01-05T19:00:00Z: 2027-01-05 19:00 UTC
2027-01-05T19:00:00.000Z: 2027-01-06 00:00 UTC
OUTPUT
