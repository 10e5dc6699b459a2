#!/usr/bin/env bash
# In an OPML list, a folder is an outline that contains its feeds (OPML 2.0, "Subscription lists").
# libxml-opml-perl 0.26-4 (Debian 12), which reads and writes such lists, collects the feeds of all folders
# in one place, and does not empty it. So each folder that it writes also has the feeds of all earlier
# folders, and readers subscribe to them twice. To avoid this, write a list without folders.
#
# Output, for a list that it has only read and written:
#   before: News: a; Drills: b; Parks: c
#   after: News: a; Drills: a b; Parks: a b c
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libxml-opml-perl=0.26-4 libxml-simpleobject-perl=0.53-4 libxml-parser-perl=2.46-4* \
  liburi-perl=5.17-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$directory/root/usr/share/perl5:$directory/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >copy.pl <<'PERL'
use strict;
use warnings;
use XML::OPML;

sub show {
  my ($label, $list) = @_;
  my @folders;
  while ($list =~ m{<outline text="(\w+)" *>(.*?)</outline>}gs) {
    my ($name, $content) = ($1, $2);
    push @folders, "$name: " . join ' ', sort $content =~ m{xmlUrl="https://www.example.org/(\w)"}g;
  }
  print "$label: ", join('; ', @folders), "\n";
}

sub folder {
  my ($name, $feed) = @_;
  my $outline = qq{<outline type="rss" text="$feed" xmlUrl="https://www.example.org/$feed"/>};
  return qq{<outline text="$name">$outline</outline>};
}
my $list = join "\n", '<?xml version="1.0" encoding="UTF-8"?>', '<opml version="2.0">',
  '<head><title>Feeds</title></head>', '<body>', folder('News', 'a'), folder('Drills', 'b'),
  folder('Parks', 'c'), '</body>', '</opml>', '';
show('before', $list);
my $opml = XML::OPML->new(version => '1.1');
$opml->parse($list);
show('after', $opml->as_string);
PERL
perl copy.pl | tee output

diff output - <<'OUTPUT'
before: News: a; Drills: b; Parks: c
after: News: a; Drills: a b; Parks: a b c
OUTPUT
