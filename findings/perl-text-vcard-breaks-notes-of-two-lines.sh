#!/usr/bin/env bash
# A line break in a text of a vCard is a backslash and an n (RFC 6350, 3.4). libtext-vcard-perl 3.09-2
# (Debian 12), which Perl programs use to write contacts, writes the line break itself. So the second line
# of a note is read as a property, and ical.js 2.2.1 rejects the whole file. A vertical bar, which has no
# special meaning in a vCard, gets a backslash that readers show. Publishers should replace line breaks and
# bars, for example with commas.
#
# Output:
#   one line: Trained in 2025
#   two lines: invalid line (no token ";" or ":") "Speaks French"
#   a bar: Pump \| Ladder
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libtext-vcard-perl=3.09-2 libclass-accessor-chained-perl=0.01.1~debian-5 \
  libclass-accessor-perl=0.51-2 libclass-method-modifiers-perl=2.14-1 libmime-charset-perl=1.013.1-2 \
  libmoo-perl=2.005005-1 libpath-tiny-perl=0.144-1 librole-tiny-perl=2.002004-1 libsombok3=2.4.0-2+b1 \
  libsub-quote-perl=2.006008-1 libtext-vfile-asdata-perl=0.08-2 libunicode-linebreak-perl=0.0.20190101-1+b5 \
  liburi-perl=5.17-1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
libraries=$directory/root/usr/lib/x86_64-linux-gnu
export LD_LIBRARY_PATH=$libraries PERL5LIB=$directory/root/usr/share/perl5:$libraries/perl5/5.36
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null

cat >write.pl <<'PERL'
use strict;
use warnings;
use Text::vCard::Addressbook;
my $book = Text::vCard::Addressbook->new;
my $contact = $book->add_vcard;
$contact->version('4.0');
$contact->fullname('Ann Lee');
$contact->note($ARGV[0]);
print $book->export;
PERL
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
try {
  console.log(new ICAL.Component(ICAL.parse(readFileSync(0, 'utf8'))).getFirstPropertyValue('note'))
} catch ({ message }) {
  console.log(message)
}
JS
{
  echo "one line: $(perl write.pl 'Trained in 2025' | node read.mjs)"
  echo "two lines: $(perl write.pl $'Trained in 2025\nSpeaks French' | node read.mjs)"
  echo "a bar: $(perl write.pl 'Pump | Ladder' | node read.mjs)"
} | tee output

diff output - <<'OUTPUT'
one line: Trained in 2025
two lines: invalid line (no token ";" or ":") "Speaks French"
a bar: Pump \| Ladder
OUTPUT
