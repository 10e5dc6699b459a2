#!/usr/bin/env bash
# Each entry of an Atom feed has its own id (RFC 4287, 4.2.6), by which readers recognize it.
# python3-feedgenerator 2.0.0-1 (Debian 12), which Python programs like Pelican use to write feeds,
# generates an id from the host and the path of the link and the date, without the query string. So entries
# of the same day with links like news?id=1 and news?id=2 have the same id, and readers like newsboat
# 2.21-1.5 show only one of them. Publishers should pass a unique_id for each entry.
#
# Output:
#   news?id=1: tag:www.example.org,2027-01-05:/news
#   news?id=2: tag:www.example.org,2027-01-05:/news
#   news/3: tag:www.example.org,2027-01-05:/news/3
#   newsboat: 2 unread articles
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-feedgenerator=2.0.0-1 python3-tz=2022.7.1-4 newsboat=2.21-1.5 libstfl0=0.22-3+b5 \
  'libcurl3-gnutls=7.88.1*' libjson-c5 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
newsboat() {
  HOME=$directory LD_LIBRARY_PATH=$directory/root/usr/lib/x86_64-linux-gnu \
    root/usr/bin/newsboat -u urls -c cache.db -x "$1"
}

cat >write.py <<'PYTHON'
from datetime import datetime, timezone
from feedgenerator import Atom1Feed

feed = Atom1Feed(title="News", link="https://www.example.org/", description="", author_name="Example")
for path in ["news?id=1", "news?id=2", "news/3"]:
    feed.add_item(title=path, link=f"https://www.example.org/{path}", description="Approved.",
                  pubdate=datetime(2027, 1, 5, 19, tzinfo=timezone.utc))
print(feed.writeString("utf-8").replace("<entry>", "\n<entry>"))
PYTHON
PYTHONPATH=root/usr/lib/python3/dist-packages /usr/bin/python3 write.py >news.atom
echo "file://$directory/news.atom" >urls
newsboat reload
{
  sed -n 's|^<entry><title>\(.*\)</title>.*<id>\(.*\)</id>.*|\1: \2|p' news.atom
  echo "newsboat: $(newsboat print-unread)"
} | tee output

diff output - <<'OUTPUT'
news?id=1: tag:www.example.org,2027-01-05:/news
news?id=2: tag:www.example.org,2027-01-05:/news
news/3: tag:www.example.org,2027-01-05:/news/3
newsboat: 2 unread articles
OUTPUT
