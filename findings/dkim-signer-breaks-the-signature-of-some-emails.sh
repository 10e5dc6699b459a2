#!/usr/bin/env bash
# In relaxed canonicalization, DKIM treats only spaces and tabs as white space, and an empty body as no
# bytes (RFC 6376, 2.8 and 3.4.4). dkim-signer 0.2.2 (npm), which nodemailer-dkim uses, also replaces
# other spaces, such as non-breaking ones, and adds a line break to an empty body. mailauth 7.1.0 (npm),
# and any other program that follows the RFC, then finds that the signature does not match, so such emails
# count as unsigned.
#
# Output, with the signature of emails with this text:
#   "Doors open at 7 pm": pass
#   "Doors open at 7[non-breaking space]pm": body hash did not verify
#   "": body hash did not verify
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . dkim-signer@0.2.2 mailauth@7.1.0 >/dev/null

cat >run.cjs <<'JS'
const { generateKeyPairSync } = require('node:crypto')
const { DKIMSign } = require('dkim-signer')
const { dkimVerify } = require('mailauth/lib/dkim/verify')
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'der' },
})
const resolver = async () => [[`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`]]
const run = async () => {
  for (const text of ['Doors open at 7 pm', 'Doors open at 7\u00a0pm', '']) {
    const email = `From: pat@example.org
To: crew@example.org
Subject: Drill
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

${text === '' ? '' : `${text}\n`}`.replaceAll('\n', '\r\n')
    const signature = DKIMSign(email, { domainName: 'example.org', keySelector: 'news', privateKey })
    const { results } = await dkimVerify(Buffer.from(`${signature}\r\n${email}`), { resolver })
    const { result, comment } = results[0].status
    console.log(`"${text.replace('\u00a0', '[non-breaking space]')}": ${comment || result}`)
  }
}
run()
JS
node run.cjs 2>/dev/null | tee output

diff output - <<'OUTPUT'
"Doors open at 7 pm": pass
"Doors open at 7[non-breaking space]pm": body hash did not verify
"": body hash did not verify
OUTPUT
