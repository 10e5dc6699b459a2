#!/usr/bin/env bash
# List-Post can have several addresses in angle brackets, separated by commas, and a program uses the first
# one that it supports (RFC 2369, 2). libmail-listdetector-perl 1.04+dfsg-2 (Debian 12), with which programs
# recognize emails of lists, takes all of them for one. So the posting address is wrong if a website
# follows, and missing if the website comes first. Publishers should give only the email address.
#
# Output, with the posting address, by List-Post:
#   <mailto:news@example.org>: news@example.org
#   <mailto:news@example.org>, <https://www.example.org/>: news@example.org>,+<https://www.example.org/
#   <https://www.example.org/>, <mailto:news@example.org>: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libmail-listdetector-perl=1.04+dfsg-2 libemail-abstract-perl=3.009-2 \
  libemail-simple-perl=2.218-1 libemail-valid-perl=1.203-1 libio-captureoutput-perl=1.1105-2 \
  libmailtools-perl=2.21-2 libmodule-pluggable-perl=5.2-4 libmro-compat-perl=0.15-2 \
  libnet-dns-perl=1.36-1* libnet-domain-tld-perl=1.75-3 liburi-perl=5.17-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$directory/root/usr/share/perl5

cat >read.pl <<'PERL'
use strict;
use warnings;
use Mail::ListDetector;
my ($email, $website) = ('<mailto:news@example.org>', '<https://www.example.org/>');
for my $post ($email, "$email, $website", "$website, $email") {
  my $list = Mail::ListDetector->new(<<"EMAIL");
From: Pat Lee <pat\@example.org>
To: news\@example.org
Subject: Drill
List-Id: News <news.example.org>
List-Post: $post

The drill is on Tuesday.
EMAIL
  print "$post: ", $list->posting_address // 'none', "\n";
}
PERL
perl read.pl 2>/dev/null | tee output

diff output - <<'OUTPUT'
<mailto:news@example.org>: news@example.org
<mailto:news@example.org>, <https://www.example.org/>: news@example.org>,+<https://www.example.org/
<https://www.example.org/>, <mailto:news@example.org>: none
OUTPUT
