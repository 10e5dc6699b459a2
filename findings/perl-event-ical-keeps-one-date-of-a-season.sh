#!/usr/bin/env bash
# BYMONTH limits a weekly rule to some months (RFC 5545, 3.3.10), for example a team's season. With such
# a rule, libdatetime-event-ical-perl 0.13-2 (Debian 12), which Perl programs use to read rules, shows
# only dates in these months that fall on DTSTART's day of the month, here the 2nd, so most of the season
# is missing. For FREQ=YEARLY with the same days and months, it shows all dates.
#
# Output, for Tuesdays in March and April from March 2, 2027:
#   weekly: 2027-03-02 2030-04-02 2032-03-02
#   yearly: 2027-03-02 2027-03-09 2027-03-16
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libdatetime-event-ical-perl=0.13-2 libdatetime-event-recurrence-perl=0.19-2 \
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
use DateTime::Event::ICal;
for my $frequency ('weekly', 'yearly') {
  my $dates = DateTime::Event::ICal->recur(
    dtstart => DateTime->new(year => 2027, month => 3, day => 2, hour => 19),
    freq => $frequency,
    byday => ['tu'],
    bymonth => [3, 4],
  )->iterator;
  print "$frequency: ", join(' ', map { $dates->next->ymd } 1 .. 3), "\n";
}
PERL
/usr/bin/perl read.pl | tee output

diff output - <<'OUTPUT'
weekly: 2027-03-02 2030-04-02 2032-03-02
yearly: 2027-03-02 2027-03-09 2027-03-16
OUTPUT
