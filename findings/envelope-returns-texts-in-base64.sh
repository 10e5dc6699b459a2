#!/usr/bin/env bash
# Text in an email can be encoded as base64 (RFC 2045, 6.8), which most programs use for text that is not
# in Latin letters. envelope 2.1.0 (npm), which parses emails, decodes only quoted-printable, and only if
# the part has a charset. It also splits the names of senders and recipients at commas, so the first of two
# contacts for "Lee, Ann" has no address. Programs that read replies have to decode base64 themselves.
#
# Output:
#   base64: R2VzY2hsb3NzZW4=
#   quoted-printable: Geöffnet
#   From: "Lee, Ann" <ann@example.org>: "Lee, ann@example.org
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . envelope@2.1.0 >/dev/null

cat >read.cjs <<'JS'
const Envelope = require('envelope')
const email = (encoding, text) =>
  new Envelope(
    Buffer.from(
      [
        'From: "Lee, Ann" <ann@example.org>',
        'To: chief@example.org',
        'Subject: Hall',
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        `Content-Transfer-Encoding: ${encoding}`,
        '',
        text,
      ].join('\r\n'),
    ),
  )
const coded = email('base64', 'R2VzY2hsb3NzZW4=')
console.log(`base64: ${coded.getText()}`)
console.log(`quoted-printable: ${email('quoted-printable', 'Ge=C3=B6ffnet').getText()}`)
const [field, value] = coded.header.raw[0]
const addresses = coded.header.get('from').map(({ address }) => address)
console.log(`${field}: ${value}: ${addresses.join(', ')}`)
JS
node read.cjs | tee output

diff output - <<'OUTPUT'
base64: R2VzY2hsb3NzZW4=
quoted-printable: Geöffnet
From: "Lee, Ann" <ann@example.org>: "Lee, ann@example.org
OUTPUT
