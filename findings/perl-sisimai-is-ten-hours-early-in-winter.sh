#!/usr/bin/env bash
# EST in the date of an email means -0500, and EDT means -0400 (RFC 5322, 4.3). libsisimai-perl 4.25.15-1
# (Debian 12), which newsletter systems use to read bounces and complaints, treats EST as +0500. So if a
# report has EST in its date, its timestamp is ten hours too early. In summer, with EDT, it is right.
# Programs that count bounces by time have to read the date of such reports themselves.
#
# Output, for a bounce at 14:00, which is 19:00 UTC in New York in winter and 18:00 UTC in summer:
#   Tue, 05 Jan 2027 14:00:00 -0500: 2027-01-05 19:00 UTC, -0500
#   Tue, 05 Jan 2027 14:00:00 EST: 2027-01-05 09:00 UTC, +0500
#   Mon, 05 Jul 2027 14:00:00 EDT: 2027-07-05 18:00 UTC, -0400
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libsisimai-perl=4.25.15-1 libclass-accessor-lite-perl=0.08-3 libjson-perl=4.10000-1 \
  >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done

cat >read.pl <<'PERL'
use strict;
use warnings;
use POSIX 'strftime';
use Sisimai;
my ($bounce) = @{Sisimai->make('bounce.eml')};
print strftime('%Y-%m-%d %H:%M UTC', gmtime $bounce->timestamp->epoch), ', ', $bounce->timezoneoffset, "\n";
PERL
for date in 'Tue, 05 Jan 2027 14:00:00 -0500' 'Tue, 05 Jan 2027 14:00:00 EST' \
  'Mon, 05 Jul 2027 14:00:00 EDT'; do
  cat >bounce.eml <<EML
Return-Path: <>
From: MAILER-DAEMON@mail.example.com
To: news@example.org
Subject: Undelivered Mail Returned to Sender
Date: $date
Message-ID: <1@mail.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

Your email could not be delivered.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.com
Arrival-Date: $date

Final-Recipient: rfc822; ann@example.com
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 User unknown

--part
Content-Type: text/rfc822-headers

From: news@example.org
To: ann@example.com
Subject: News
Message-ID: <2@example.org>

--part--
EML
  echo "$date: $(PERL5LIB=root/usr/share/perl5 perl read.pl)"
done | tee output

diff output - <<'OUTPUT'
Tue, 05 Jan 2027 14:00:00 -0500: 2027-01-05 19:00 UTC, -0500
Tue, 05 Jan 2027 14:00:00 EST: 2027-01-05 09:00 UTC, +0500
Mon, 05 Jul 2027 14:00:00 EDT: 2027-07-05 18:00 UTC, -0400
OUTPUT
