#!/usr/bin/env bash
# The id of an Atom entry identifies it, and need not be a URL that leads anywhere (RFC 4287, 4.2.6). An
# entry with content needs no link (4.1.2). feedparser 6.0.10-1 (Debian 12), with which rss2email and
# others read feeds, then returns the id as the link, which does not work in a browser. In RSS, it does so
# only if the guid is a permalink. Entries about nothing on the web should link to the site.
#
# Output, with the link of an entry without one:
#   Atom: tag:example.org,2026:1
#   RSS: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-feedparser=6.0.10-1 python3-sgmllib3k=1.0.0-4 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages

cat >read.py <<'PYTHON'
import feedparser

feeds = {"Atom": """<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
<id>tag:example.org,2026:news</id><updated>2026-01-01T00:00:00Z</updated><author><name>Pat Lee</name></author>
<entry><title>Item</title><id>tag:example.org,2026:1</id><updated>2026-01-01T00:00:00Z</updated>
<content>The office is closed today.</content></entry></feed>""",
         "RSS": """<rss version="2.0"><channel><title>News</title><link>https://www.example.org/</link>
<description>News</description><item><title>Item</title><guid isPermaLink="false">tag:example.org,2026:1</guid>
<description>The office is closed today.</description></item></channel></rss>"""}
for name, feed in feeds.items():
    print(f"{name}: {feedparser.parse(feed).entries[0].get('link', 'none')}")
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
Atom: tag:example.org,2026:1
RSS: none
OUTPUT
