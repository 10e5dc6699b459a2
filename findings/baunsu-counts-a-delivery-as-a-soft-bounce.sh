#!/usr/bin/env bash
# A delivery status notification can also say that an email was delivered: Action is "delivered" and
# Status starts with 2 (RFC 3464, 2.3.3 and 2.3.4), for example because the sender asked for it (RFC
# 3461). baunsu 0.2.3 (npm), which detects bounces, reports such an email as a soft bounce, because its
# status is below 5. So a mailing list that counts bounces may remove an address that works.
#
# Output, for reports with this Action and Status:
#   failed 5.1.1: bounced, hard
#   delayed 4.4.1: bounced, soft
#   delivered 2.0.0: bounced, soft
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . baunsu@0.2.3 >/dev/null

cat >read.cjs <<'JS'
const Baunsu = require('baunsu')
for (const [action, status] of [['failed', '5.1.1'], ['delayed', '4.4.1'], ['delivered', '2.0.0']]) {
  const result = new Baunsu().detectSync(`From: Mail Delivery System <MAILER-DAEMON@mx.example.net>
To: news@example.org
Subject: Delivery report
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=part

--part
Content-Type: text/plain

This is a report about your email.

--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; pat@example.net
Action: ${action}
Status: ${status}

--part--
`.replaceAll('\n', '\r\n'))
  const kind = result.isHard() ? 'hard' : result.isSoft() ? 'soft' : 'neither'
  console.log(`${action} ${status}: ${result.bounced ? 'bounced' : 'not bounced'}, ${kind}`)
}
JS
node read.cjs 2>/dev/null | tee output

diff output - <<'OUTPUT'
failed 5.1.1: bounced, hard
delayed 4.4.1: bounced, soft
delivered 2.0.0: bounced, soft
OUTPUT
