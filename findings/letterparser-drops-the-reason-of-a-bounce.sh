#!/usr/bin/env bash
# A bounce is an email with three parts: a notice, a machine-readable part of type
# message/delivery-status, which contains the failed address and the reason, and the returned email (RFC
# 3462 and 3464). The function extract in letterparser 0.1.8 (npm), which is often used to process emails
# in cloud functions, returns the other parts as text, but omits this one from both the text and the
# attachments. So a program sees the bounce without its reason. The function parse returns all parts.
#
# Output, for a bounce with "Status: 5.1.1" and a returned email:
#   extract: the notice, the returned email, 0 attachments
#   parse: the notice, the status, the returned email
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . letterparser@0.1.8 >/dev/null

cat >read.cjs <<'JS'
const { extract, parse } = require('letterparser')
const email = `From: mailer-daemon@example.net
To: news@example.org
Subject: Undelivered
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=part

--part
Content-Type: text/plain

Not delivered.
--part
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Final-Recipient: rfc822; dead@example.net
Action: failed
Status: 5.1.1

--part
Content-Type: text/rfc822-headers

Subject: News of the week
Message-ID: <1@example.org>

--part--
`.replaceAll('\n', '\r\n')
const contents = (text) =>
  Object.entries({ 'Not delivered.': 'the notice', 'Status: 5.1.1': 'the status', 'News of': 'the returned email' })
    .filter(([part]) => text.includes(part))
    .map(([, name]) => name)
    .join(', ')
const extracted = extract(email)
console.log(`extract: ${contents(JSON.stringify(extracted))}, ${extracted.attachments.length} attachments`)
console.log(`parse: ${contents(JSON.stringify(parse(email)))}`)
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
extract: the notice, the returned email, 0 attachments
parse: the notice, the status, the returned email
OUTPUT
