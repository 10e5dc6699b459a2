#!/usr/bin/env bash
# TTL: 0 asks a push service to deliver a message now or never (RFC 8030, 5.2). @pushforge/builder 2.0.5
# and @block65/webcrypto-web-push 2.0.0 (npm) replace 0 with their defaults. A message such as "The
# hall opens now" then appears up to a day later, when the phone is on again.
#
# Output, with the TTL that each library sends for 0 and 1:
#   @pushforge/builder: 86400, 1
#   @block65/webcrypto-web-push: 60, 1
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @pushforge/builder@2.0.5 @block65/webcrypto-web-push@2.0.0 >/dev/null

cat >run.mjs <<'JS'
import { createECDH, randomBytes } from 'node:crypto'
import { buildPushPayload } from '@block65/webcrypto-web-push'
import { buildPushHTTPRequest } from '@pushforge/builder'
const createKeys = () => {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  return keys
}
const [server, browser] = [createKeys(), createKeys()]
const subscription = {
  endpoint: 'https://push.example.net/1',
  expirationTime: null,
  keys: { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') },
}
const adminContact = 'mailto:webmaster@example.org'
const privateKey = server.getPrivateKey('base64url')
const point = server.getPublicKey()
const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
const privateJWK = { kty: 'EC', crv: 'P-256', x, y, d: privateKey }
const vapid = { subject: adminContact, publicKey: server.getPublicKey('base64url'), privateKey }
const payload = { title: 'The hall opens now' }

const libraries = {
  '@pushforge/builder': (options) =>
    buildPushHTTPRequest({ privateJWK, subscription, message: { payload, adminContact, options } }),
  '@block65/webcrypto-web-push': (options) =>
    buildPushPayload({ data: payload, options }, subscription, vapid),
}
for (const [name, build] of Object.entries(libraries)) {
  const requests = await Promise.all([0, 1].map((ttl) => build({ ttl })))
  console.log(`${name}: ${requests.map(({ headers }) => new Headers(headers).get('ttl')).join(', ')}`)
}
JS
node run.mjs | tee output

diff output - <<'OUTPUT'
@pushforge/builder: 86400, 1
@block65/webcrypto-web-push: 60, 1
OUTPUT
