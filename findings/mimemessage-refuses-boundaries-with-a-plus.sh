#!/usr/bin/env bash
# The boundary between the parts of an email may contain + ? ( ) and other characters (RFC 2046, 5.1.1).
# mimemessage 1.0.5 (npm) uses it as a regular expression, without escaping it. So it finds no parts if the
# boundary has one of these characters, and returns false for the whole email. Programs that write emails
# should use only letters, digits, - _ and = in boundaries.
#
# Output, for an email with a text and an invitation:
#   =_1: 2 parts
#   =_1+2: false
#   =_1?: false
#   Boundary_(ID_1): false
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . mimemessage@1.0.5 >/dev/null

cat >read.cjs <<'JS'
const { parse } = require('mimemessage')
for (const boundary of ['=_1', '=_1+2', '=_1?', 'Boundary_(ID_1)']) {
  const lines = [
    'From: news@example.org',
    'To: reader@example.net',
    'Subject: Drill',
    'Date: Tue, 05 Jan 2027 10:00:00 +0000',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain',
    '',
    'The drill is on Tuesday.',
    `--${boundary}`,
    'Content-Type: text/calendar; method=PUBLISH',
    '',
    'BEGIN:VCALENDAR',
    'END:VCALENDAR',
    `--${boundary}--`,
    '',
  ]
  const email = parse(lines.join('\r\n'))
  console.log(`${boundary}: ${email && `${email.body.length} parts`}`)
}
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
=_1: 2 parts
=_1+2: false
=_1?: false
Boundary_(ID_1): false
OUTPUT
