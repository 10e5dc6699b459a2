#!/usr/bin/env bash
# A bounce has a group of fields for each recipient (RFC 3464, 2.3). Mail::DeliveryStatus::BounceParser
# 1.543 (Debian 12) stops at the first recipient whose email was delivered or delayed, and then says that
# the message is no bounce. If several addresses get one email, dead ones among them stay unnoticed.
#
# Output, for reports about dead@example.net and alive@example.net:
#   dead: bounce of dead@example.net
#   dead, alive: no bounce of dead@example.net
#   alive, dead: no bounce of nobody
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq libmail-deliverystatus-bounceparser-perl=1.543+repacked-1 libmime-tools-perl=5.510-1 \
  libmailtools-perl=2.21-2 libconvert-binhex-perl=1.125-3 libtimedate-perl=2.3300-2 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PERL5LIB=$directory/root/usr/share/perl5

cat >read.pl <<'PERL'
use strict;
use warnings;
use Mail::DeliveryStatus::BounceParser;

my %fields = (
    dead  => "Final-Recipient: rfc822; dead\@example.net\nAction: failed\nStatus: 5.1.1\n",
    alive => "Final-Recipient: rfc822; alive\@example.net\nAction: delivered\nStatus: 2.0.0\n",
);
for my $recipients (['dead'], [qw(dead alive)], [qw(alive dead)]) {
    my $report = join "\n", map { $fields{$_} } @$recipients;
    my $bounce = Mail::DeliveryStatus::BounceParser->new(<<"MESSAGE");
Return-Path: <>
From: Mail Delivery System <mailer-daemon\@mx.example.net>
To: news\@example.org
Subject: Mail delivery report
Date: Thu, 01 Oct 2026 10:00:00 +0000
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

This report is about your email.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

$report
--part
Content-Type: message/rfc822

From: news\@example.org
Subject: News

The news.

--part--
MESSAGE
    my $kind = $bounce->is_bounce ? 'bounce' : 'no bounce';
    printf "%s: %s of %s\n", join(', ', @$recipients), $kind, join(', ', $bounce->addresses) || 'nobody';
}
PERL
perl read.pl | tee output

diff output - <<'OUTPUT'
dead: bounce of dead@example.net
dead, alive: no bounce of dead@example.net
alive, dead: no bounce of nobody
OUTPUT
