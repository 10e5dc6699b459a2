#!/usr/bin/env bash
# Web push encrypts with aes128gcm (RFC 8291, 4). @pushforge/builder 2.0.5 (npm) encrypts with aesgcm,
# of a draft, although it signs with the final scheme, vapid (RFC 8292, 3). Followers whose browsers
# list only aes128gcm in PushManager.supportedContentEncodings can't read its messages.
#
# Output: aesgcm, vapid
set -euo pipefail
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
cd "$directory"
npm install --silent --no-audit --no-fund --ignore-scripts --prefix . @pushforge/builder@2.0.5 >/dev/null

cat >run.mjs <<'JS'
import { createECDH, randomBytes } from 'node:crypto'
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
const point = server.getPublicKey()
const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
const privateJWK = { kty: 'EC', crv: 'P-256', x, y, d: server.getPrivateKey('base64url') }
const message = { payload: { title: 'Drill' }, adminContact, options: { ttl: 60 } }
const request = await buildPushHTTPRequest({ privateJWK, subscription, message })
const headers = new Headers(request.headers)
const [scheme] = headers.get('authorization').split(' ')
console.log(`${headers.get('content-encoding')}, ${scheme}`)
JS
node run.mjs | tee output
[ "$(cat output)" = 'aesgcm, vapid' ]
