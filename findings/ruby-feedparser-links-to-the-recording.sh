#!/usr/bin/env bash
# In an Atom entry, the link with rel="alternate" leads to its page, and one with rel="enclosure" to a
# recording or picture (RFC 4287, 4.2.7.2). ruby-feedparser 0.11.2-1 (Debian 12), which feed2imap uses to
# turn feeds into emails, ignores rel, and uses the last link as the page. It finds recordings and pictures
# only in RSS. Publishers should write the link to the page last, or offer RSS.
#
# Output, for a page 1 with a recording 1.mp3:
#   Atom: https://www.example.org/1.mp3, recordings: none
#   RSS: https://www.example.org/1, recordings: https://www.example.org/1.mp3
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq ruby-feedparser=0.11.2-1 ruby-magic=0.2.9-2 ruby-ffi=1.15.5+dfsg-1+b1 'libmagic1=1:5.44-3*' \
  'libmagic-mgc=1:5.44-3*' libffi8=3.4.4-1 'ruby3.1=3.1.*' 'libruby3.1=3.1.*' >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
paths=(root/usr/lib/ruby/3.1.0 "$libraries/ruby/3.1.0" root/usr/share/rubygems-integration/all/gems/*/lib
  root/usr/lib/ruby/gems/3.1.0/gems/rexml-*/lib "$libraries"/rubygems-integration/3.1.0/gems/*/lib
  "$libraries"/rubygems-integration/3.1.0/extensions/*/*/*)

cat >news.atom <<'ATOM'
<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>tag:example.org,2027:news</id><title>News</title><updated>2027-01-05T19:00:00Z</updated>
  <author><name>Example</name></author>
  <entry>
    <id>tag:example.org,2027:1</id><title>Minutes</title><updated>2027-01-05T19:00:00Z</updated>
    <link rel="alternate" type="text/html" href="https://www.example.org/1"/>
    <link rel="enclosure" type="audio/mpeg" href="https://www.example.org/1.mp3" length="123"/>
    <summary>Listen to the meeting.</summary>
  </entry>
</feed>
ATOM
cat >news.rss <<'RSS'
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0">
  <channel>
    <title>News</title><link>https://www.example.org/</link><description>News</description>
    <item>
      <title>Minutes</title><link>https://www.example.org/1</link>
      <enclosure url="https://www.example.org/1.mp3" length="123" type="audio/mpeg"/>
    </item>
  </channel>
</rss>
RSS
cat >read.rb <<'RUBY'
require 'feedparser'
{ 'Atom' => 'news.atom', 'RSS' => 'news.rss' }.each do |format, file|
  item = FeedParser::Feed.new(File.read(file)).items.first
  recordings = item.enclosures.map(&:first)
  puts "#{format}: #{item.link}, recordings: #{recordings.empty? ? 'none' : recordings.join(' ')}"
end
RUBY
LD_LIBRARY_PATH=$libraries MAGIC=root/usr/lib/file/magic.mgc RUBYOPT='' \
  root/usr/bin/ruby3.1 --disable-gems "${paths[@]/#/-I}" read.rb | tee output

diff output - <<'OUTPUT'
Atom: https://www.example.org/1.mp3, recordings: none
RSS: https://www.example.org/1, recordings: https://www.example.org/1.mp3
OUTPUT
