#!/usr/bin/env bash
# A series can happen twice a day (BYHOUR, RFC 5545, 3.3.10), and one of its dates can move to the day of
# another one (RECURRENCE-ID, 3.8.4.4). libical-parser-perl 1.21-3 (Debian 12), with which Perl programs
# show calendars, stores the events of a day by UID, so only the last one that it finds remains, without
# an error. Separate events, each with its own UID, are not affected.
#
# Output, with what it shows on January 5 and 12:
#   BYHOUR=9,19: January 5: 19:00 Tour, January 12: 19:00 Tour
#   January 5 at 19:00 moves to January 12 at 17:00: January 12: 17:00 Moved
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
sub show {
  my ($name, @events) = @_;
  my $calendar = join "\r\n", 'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//example//EN',
    (map { ('BEGIN:VEVENT', 'UID:1\@example.org', 'DTSTAMP:20260101T000000Z', @$_, 'END:VEVENT') } @events),
    'END:VCALENDAR', '';
  my $parser = iCal::Parser->new(start => '20270101', end => '20270131', tz => 'UTC');
  my $days = $parser->parse_strings($calendar)->{events}{2027}{1};
  my @shown = map {
    my $day = $_;
    map { "January $day: " . $_->{DTSTART}->strftime('%H:%M ') . $_->{SUMMARY} } values %{$days->{$day}};
  } sort { $a <=> $b } keys %$days;
  print "$name: ", join(', ', @shown), "\n";
}
show('BYHOUR=9,19', ['DTSTART:20270105T090000Z', 'RRULE:FREQ=WEEKLY;BYHOUR=9,19;COUNT=4', 'SUMMARY:Tour']);
show(
  'January 5 at 19:00 moves to January 12 at 17:00',
  ['DTSTART:20270105T190000Z', 'RRULE:FREQ=WEEKLY;COUNT=2', 'SUMMARY:Drill'],
  ['RECURRENCE-ID:20270105T190000Z', 'DTSTART:20270112T170000Z', 'SUMMARY:Moved'],
);
PERL
perl read.pl | tee output

diff output - <<'OUTPUT'
BYHOUR=9,19: January 5: 19:00 Tour, January 12: 19:00 Tour
January 5 at 19:00 moves to January 12 at 17:00: January 12: 17:00 Moved
OUTPUT
