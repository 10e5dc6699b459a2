#!/usr/bin/env bash
# The dates of a series are in the time zone of DTSTART (RFC 5545, 3.8.5.3). libdatetime-event-ical-perl
# 0.13-2 (Debian 12), which Perl programs use to read rules, returns dates without a time zone, even if
# DTSTART has one, and DateTime then treats them as UTC. So a reminder in New York is five hours early, and
# a conversion to another zone changes nothing. A program can avoid this by calling set_time_zone for the
# series, which its documentation does not mention.
#
# Output, for 19:00 in New York, which is 00:00 UTC:
#   start: America/New_York, 2027-01-06 00:00 UTC
#   first date: floating, 2027-01-05 19:00 UTC
#   first date after set_time_zone: America/New_York, 2027-01-06 00:00 UTC
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libdatetime-format-ical-perl=0.09-3 libdatetime-event-ical-perl=0.13-2 \
  libdatetime-event-recurrence-perl=0.19-2 \
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
use DateTime;
use DateTime::Format::ICal;
sub show {
  my ($label, $time) = @_;
  my $utc = DateTime->from_epoch(epoch => $time->epoch);
  print "$label: ", $time->time_zone->name, ', ', $utc->strftime('%Y-%m-%d %H:%M UTC'), "\n";
}
my $start = DateTime::Format::ICal->parse_datetime('TZID=America/New_York:20270105T190000');
my $series = DateTime::Format::ICal->parse_recurrence(recurrence => 'FREQ=WEEKLY;COUNT=3', dtstart => $start);
show('start', $start);
show('first date', $series->min);
show('first date after set_time_zone', $series->clone->set_time_zone('America/New_York')->min);
PERL
perl read.pl | tee output

diff output - <<'OUTPUT'
start: America/New_York, 2027-01-06 00:00 UTC
first date: floating, 2027-01-05 19:00 UTC
first date after set_time_zone: America/New_York, 2027-01-06 00:00 UTC
OUTPUT
