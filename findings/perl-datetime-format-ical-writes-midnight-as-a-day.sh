#!/usr/bin/env bash
# The values of RDATE have a time, even at midnight, unless the property has VALUE=DATE (RFC 5545, 3.8.5.2).
# libdatetime-format-ical-perl 0.09-3 (Debian 12), which Perl programs use to write iCalendar times, leaves
# out the time if a date of a series is at midnight. ical.js 2.2.1 then reads it as a whole day, and can't
# read a period that ends at midnight. Publishers should write each date with format_datetime, which
# includes midnight.
#
# Output, for January 6, 2027, at midnight:
#   format_datetime: DTSTART:20270106T000000Z, read as 2027-01-06T00:00:00Z
#   format_recurrence: RDATE:20270106Z, read as 2027-01-06
#   format_recurrence, New York: RDATE;TZID=America/New_York:20270106, read as 2027-01-06
#   format_recurrence, until midnight: RDATE;VALUE=PERIOD:20270105T220000Z/20270106Z, not readable
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
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . ical.js@2.2.1 >/dev/null
export PERL5LIB=$directory/root/usr/share/perl5:$directory/root/usr/lib/x86_64-linux-gnu/perl5/5.36

cat >write.pl <<'PERL'
use strict;
use warnings;
use DateTime;
use DateTime::Format::ICal;
use DateTime::Span;
my $format = 'DateTime::Format::ICal';
my $midnight = DateTime->new(year => 2027, month => 1, day => 6, time_zone => 'UTC');
my $here = DateTime->new(year => 2027, month => 1, day => 6, time_zone => 'America/New_York');
my $evening = DateTime::Span->from_datetimes(start => $midnight->clone->subtract(hours => 2), end => $midnight);
print "format_datetime\tDTSTART:", $format->format_datetime($midnight), "\n";
print "format_recurrence\t", $format->format_recurrence($midnight), "\n";
print "format_recurrence, New York\t", $format->format_recurrence($here), "\n";
print "format_recurrence, until midnight\t", $format->format_recurrence($evening), "\n";
PERL
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs'
import ICAL from 'ical.js'
for (const line of readFileSync(0, 'utf8').trim().split('\n')) {
  const [label, property] = line.split('\t')
  let result = 'not readable'
  try {
    result = `read as ${ICAL.Property.fromString(property).getFirstValue()}`
  } catch {}
  console.log(`${label}: ${property}, ${result}`)
}
JS
perl write.pl | node read.mjs | tee output

diff output - <<'OUTPUT'
format_datetime: DTSTART:20270106T000000Z, read as 2027-01-06T00:00:00Z
format_recurrence: RDATE:20270106Z, read as 2027-01-06
format_recurrence, New York: RDATE;TZID=America/New_York:20270106, read as 2027-01-06
format_recurrence, until midnight: RDATE;VALUE=PERIOD:20270105T220000Z/20270106Z, not readable
OUTPUT
