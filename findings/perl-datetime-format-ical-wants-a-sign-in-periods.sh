#!/usr/bin/env bash
# A period can be a start and a duration, and the duration needs no sign (RFC 5545, 3.3.6 and 3.3.9).
# libdatetime-format-ical-perl 0.09-3 (Debian 12), which Perl programs use to read iCalendar times, accepts
# a duration without a sign, but not in a period. So it can't read busy times or additional dates in that
# form, which is the one in the examples of RFC 5545. Publishers should write periods with an end.
#
# Output:
#   parse_duration PT2H: 120 minutes
#   parse_period 20270105T190000Z/+PT2H: until 2027-01-05T21:00:00
#   parse_period 20270105T190000Z/PT2H: Invalid iCal datetime string (PT2H)
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
use DateTime::Format::ICal;
my $format = 'DateTime::Format::ICal';
print 'parse_duration PT2H: ', $format->parse_duration('PT2H')->in_units('minutes'), " minutes\n";
for my $period ('20270105T190000Z/+PT2H', '20270105T190000Z/PT2H') {
  my $span = eval { $format->parse_period($period) };
  chomp(my $result = $span ? 'until ' . $span->end : $@);
  print "parse_period $period: $result\n";
}
PERL
perl read.pl | tee output

diff output - <<'OUTPUT'
parse_duration PT2H: 120 minutes
parse_period 20270105T190000Z/+PT2H: until 2027-01-05T21:00:00
parse_period 20270105T190000Z/PT2H: Invalid iCal datetime string (PT2H)
OUTPUT
