#!/usr/bin/env bash
# media:description of Media RSS describes a picture, also within media:content. feedparser 6.0.10-1
# (Debian 12) takes it for the summary of the item if it comes before description, whose text becomes the
# content. RSS does not define an order, but a publisher should write description first.
#
# Output, with the summary of an item:
#   picture before description: Two people with a ladder
#   description before picture: The ladder truck is back
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-feedparser=6.0.10-1 python3-sgmllib3k=1.0.0-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >read.py <<'PYTHON'
import feedparser

description = "<description>The ladder truck is back</description>"
picture = """<media:content url="https://www.example.org/1.jpg" medium="image">
<media:description>Two people with a ladder</media:description></media:content>"""
orders = {"picture before description": picture + description,
          "description before picture": description + picture}
for name, elements in orders.items():
    feed = feedparser.parse(f"""<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>News</title><link>https://www.example.org/</link><description>News</description>
<item><title>Item</title><link>https://www.example.org/1</link>
<guid>https://www.example.org/1</guid>{elements}</item></channel></rss>""")
    print(f"{name}: {feed.entries[0].summary}")
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
picture before description: Two people with a ladder
description before picture: The ladder truck is back
OUTPUT
