#!/usr/bin/env bash
# In XML, a CDATA section is text like any other (XML 1.0, 2.7), and most programs that write RSS put
# titles in one. libxml-rsslite-perl 0.17+dfsg-2 (Debian 12), a fast reader for scripts, returns an empty
# hash for such a title and nothing for such a description, and does not decode references like &amp;. So
# only text without special characters is readable in it. Scripts should use XML::FeedPP instead, which is
# also in Perl.
#
# Output:
#   Fish and chips: Fish and chips
#   Fish &amp; chips: Fish &amp; chips
#   <![CDATA[Fish & chips]]>: HASH
#   XML::FeedPP, <![CDATA[Fish & chips]]>: Fish & chips
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libxml-rsslite-perl=0.17+dfsg-2 libxml-feedpp-perl=0.95-1 libxml-treepp-perl=0.43-3 \
  >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >read.pl <<'PERL'
use strict;
use warnings;
use XML::FeedPP;
use XML::RSSLite;
for my $title ('Fish and chips', 'Fish &amp; chips', '<![CDATA[Fish & chips]]>') {
  my $feed = <<RSS;
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>News</title><link>https://www.example.org/</link><description>News</description>
<item><title>$title</title><link>https://www.example.org/1</link><description>Dinner</description></item>
</channel></rss>
RSS
  my ($item) = XML::FeedPP->new($feed)->get_item;
  parseRSS(\my %read, \(my $copy = $feed));
  my $shown = $read{items}[0]{title};
  print "$title: ", ref $shown || $shown, "\n";
  print "XML::FeedPP, $title: ", $item->title, "\n" if $title =~ /CDATA/;
}
PERL
PERL5LIB=root/usr/share/perl5 perl read.pl | tee output

diff output - <<'OUTPUT'
Fish and chips: Fish and chips
Fish &amp; chips: Fish &amp; chips
<![CDATA[Fish & chips]]>: HASH
XML::FeedPP, <![CDATA[Fish & chips]]>: Fish & chips
OUTPUT
