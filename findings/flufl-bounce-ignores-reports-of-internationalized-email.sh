#!/usr/bin/env bash
# A mail server reports the failure of an email that needed SMTPUTF8, for example because of one address
# like jörg@example.net, as message/global-delivery-status (RFC 6533, 4), with addresses of the type
# rfc822 or utf-8. flufl.bounce 4.0-3 (Debian 12), with which Mailman 3 counts bounces, finds no address
# in such a report, so Mailman does not count it.
#
# Output, with the dead address that it finds in reports:
#   message/delivery-status, rfc822; dead@example.net: dead@example.net
#   message/global-delivery-status, rfc822; dead@example.net: none
#   message/global-delivery-status, utf-8; jörg@example.net: none
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"

apt-get download -qq python3-flufl.bounce=4.0-3 python3-public=2.3-4 \
  python3-zope.interface=5.5.2-1+b1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" root; done
export PYTHONPATH=$directory/root/usr/lib/python3/dist-packages PYTHONIOENCODING=utf-8

cat >read.py <<'PYTHON'
import email
from flufl.bounce import all_failures

reports = [("delivery-status", "rfc822; dead@example.net"),
           ("global-delivery-status", "rfc822; dead@example.net"),
           ("global-delivery-status", "utf-8; jörg@example.net")]
for kind, recipient in reports:
    report = f"""From: Mail Delivery System <mailer-daemon@mx.example.net>
To: news-bounces@example.org
Subject: Undelivered mail
Date: Thu, 01 Oct 2026 10:00:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="part"

--part
Content-Type: text/plain

There is no such address.

--part
Content-Type: message/{kind}
Content-Transfer-Encoding: 8bit

Reporting-MTA: dns; mx.example.net

Final-Recipient: {recipient}
Action: failed
Status: 5.1.1

--part--
"""
    temporary, permanent = all_failures(email.message_from_bytes(report.encode()))
    found = ", ".join(address.decode() for address in permanent) or "none"
    print(f"message/{kind}, {recipient}: {found}")
PYTHON
/usr/bin/python3 read.py | tee output

diff output - <<'OUTPUT'
message/delivery-status, rfc822; dead@example.net: dead@example.net
message/global-delivery-status, rfc822; dead@example.net: none
message/global-delivery-status, utf-8; jörg@example.net: none
OUTPUT
