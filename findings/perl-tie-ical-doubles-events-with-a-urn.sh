#!/usr/bin/env bash
# A UID is any text, and often a URN like urn:uuid:… (RFC 5545, 3.8.4.7; RFC 9562, 4). libtie-ical-perl
# 0.15-4 (Debian 12), which Perl scripts use to edit calendar files as hashes, treats only the part after
# the last colon as the UID. So it does not find such an event, and a script that changes it adds a second
# one with the same UID. Publishers of files for such scripts should use UIDs without colons.
#
# Output, after changing an event:
#   1@example.org: found, 1 event in the file
#   urn:uuid:1f0e5a52-0000-4000-8000-000000000001: not found, 2 events in the file
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libtie-ical-perl=0.15-4 >/dev/null 2>&1
dpkg -x libtie-ical-perl*.deb root

cat >change.pl <<'PERL'
use strict;
use warnings;
use Tie::iCal;
for my $uid ('1@example.org', 'urn:uuid:1f0e5a52-0000-4000-8000-000000000001') {
  open my $file, '>', 'calendar.ics' or die;
  print $file join "\r\n", 'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//example//EN', 'BEGIN:VEVENT',
    "UID:$uid", 'DTSTAMP:20260101T000000Z', 'DTSTART:20270105T190000Z', 'SUMMARY:Drill', 'END:VEVENT',
    'END:VCALENDAR', '';
  close $file;
  tie my %events, 'Tie::iCal', 'calendar.ics' or die;
  my $found = exists $events{$uid} ? 'found' : 'not found';
  $events{$uid} =
    ['VEVENT', {DTSTAMP => '20260102T000000Z', DTSTART => '20270105T200000Z', SUMMARY => 'Drill'}];
  untie %events;
  open $file, '<', 'calendar.ics' or die;
  my $count = grep { /^BEGIN:VEVENT/ } <$file>;
  print "$uid: $found, $count event", $count == 1 ? '' : 's', " in the file\n";
}
PERL
PERL5LIB=root/usr/share/perl5 perl change.pl 2>/dev/null | tee output

diff output - <<'OUTPUT'
1@example.org: found, 1 event in the file
urn:uuid:1f0e5a52-0000-4000-8000-000000000001: not found, 2 events in the file
OUTPUT
