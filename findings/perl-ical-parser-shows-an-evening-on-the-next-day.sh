#!/usr/bin/env bash
# DTEND is the first moment that is not part of an event (RFC 5545, 3.6.1), so an event that ends at
# midnight takes place on one day. libical-parser-perl 1.21-3 (Debian 12), with which Perl programs show
# calendars, splits events at midnight into one part for each day, and adds a part of zero hours on the
# day after such an event. So visitors come a day late. An event that ends at 23:59, or has a DURATION, is
# correct.
#
# Output, for an event on January 5 from 19:00:
#   DTEND:20270106T000000Z: January 5 19:00 (5.00 h), January 6 00:00 (0.00 h)
#   DTEND:20270105T235900Z: January 5 19:00 (4.98 h)
#   DURATION:PT5H: January 5 19:00 (5.00 h)
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libical-parser-perl=1.21-3 libclass-accessor-chained-perl=0.01.1~debian-5 \
  libclass-accessor-perl=0.51-2 libdatetime-event-ical-perl=0.13-2 libdatetime-event-recurrence-perl=0.19-2 \
  libdatetime-format-ical-perl=0.09-3 libio-string-perl=1.08-4 libtext-vfile-asdata-perl=0.08-2 \
  libdatetime-set-perl=0.3900-2 libset-infinite-perl=0.65-3 libdatetime-perl=2:1.59-1 \
  libdatetime-locale-perl=1:1.37-1 'libdatetime-timezone-perl=1:2.60-1*' \
  libb-hooks-endofscope-perl=0.26-1 libclass-data-inheritable-perl=0.08-3 libclass-inspector-perl=1.36-3 \
  libclass-singleton-perl=1.6-2 libdevel-stacktrace-perl=2.0400-2 libeval-closure-perl=0.14-3 \
  libexception-class-perl=1.45-1 libfile-sharedir-perl=1.118-3 libmodule-implementation-perl=0.09-2 \
  libmodule-runtime-perl=0.016-2 libmro-compat-perl=0.15-2 libnamespace-autoclean-perl=0.29-2 \
  libnamespace-clean-perl=0.27-2 libpackage-stash-perl=0.40-1 libparams-validate-perl=1.31-1 \
  libparams-validationcompiler-perl=0.31-1 librole-tiny-perl=2.002004-1 libspecio-perl=0.48-1 \
  libsub-exporter-progressive-perl=0.001013-3 libsub-identify-perl=0.14-3 libtry-tiny-perl=0.31-2 \
  libvariable-magic-perl=0.63-1+b1 libxstring-perl=0.005-2+b1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$directory/root/usr/share/perl5:$directory/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >read.pl <<'PERL'
use strict;
use warnings;
use iCal::Parser;
for my $end ('DTEND:20270106T000000Z', 'DTEND:20270105T235900Z', 'DURATION:PT5H') {
  my $calendar = join "\r\n", 'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//example//EN',
    'BEGIN:VEVENT', 'UID:1\@example.org', 'DTSTAMP:20260101T000000Z', 'DTSTART:20270105T190000Z', $end,
    'SUMMARY:Open house', 'END:VEVENT', 'END:VCALENDAR', '';
  my $parser = iCal::Parser->new(start => '20270101', end => '20270131', tz => 'UTC');
  my $days = $parser->parse_strings($calendar)->{events}{2027}{1};
  my @shown = map {
    my $day = $_;
    map { "January $day " . $_->{DTSTART}->strftime('%H:%M') . " ($_->{hours} h)" } values %{$days->{$day}};
  } sort { $a <=> $b } keys %$days;
  print "$end: ", join(', ', @shown), "\n";
}
PERL
perl read.pl | tee output

diff output - <<'OUTPUT'
DTEND:20270106T000000Z: January 5 19:00 (5.00 h), January 6 00:00 (0.00 h)
DTEND:20270105T235900Z: January 5 19:00 (4.98 h)
DURATION:PT5H: January 5 19:00 (5.00 h)
OUTPUT
