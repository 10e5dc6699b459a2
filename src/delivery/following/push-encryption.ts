import {
  createCipheriv,
  createECDH,
  createPrivateKey,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'
import type { TimeSource } from '../../clock.ts'

/*
 * Web Push on node:crypto. The package web-push would add asn1.js, jws and https-proxy-agent, and is
 * published under the MPL.
 */

/** OpenSSL's name for P-256. */
const curve = 'prime256v1'

/** Order of P-256 (FIPS 186-5). Private keys are less than this. */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * Every push service accepts messages up to this size (RFC 8030 7.2). A message is a single record.
 */
const maxRecordBytes = 4_096
const [saltBytes, keyBytes] = [16, 65]

/** Push services reject tokens that are valid for more than a day (RFC 8292 2). */
const tokenSeconds = 12 * 60 * 60

type Random = { readonly salt: Buffer; readonly privateKey: Buffer }

/** Encrypts content for a browser (RFC 8291) as a single aes128gcm record (RFC 8188). */
export function encryptPush(
  content: Buffer,
  subscription: { readonly p256dh: string; readonly auth: string },
  random?: Random,
): Buffer {
  const [browserKey, auth] = [subscription.p256dh, subscription.auth].map((text) =>
    Buffer.from(text, 'base64url'),
  ) as [Buffer, Buffer]
  const salt = random?.salt ?? randomBytes(saltBytes)
  const ecdh = createECDH(curve)
  if (random) ecdh.setPrivateKey(random.privateKey)
  else ecdh.generateKeys()
  const ownKey = ecdh.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const secret = derived(ecdh.computeSecret(browserKey), auth, info, 32)
  const key = derived(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
  const nonce = derived(secret, salt, 'Content-Encoding: nonce\0', 12)
  const sizes = Buffer.alloc(5)
  sizes.writeUInt32BE(maxRecordBytes)
  sizes.writeUInt8(keyBytes, 4)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const lastRecord = Buffer.of(2)
  const encrypted = [cipher.update(content), cipher.update(lastRecord), cipher.final()]
  return Buffer.concat([salt, sizes, ownKey, ...encrypted, cipher.getAuthTag()])
}

const derived = (secret: Buffer, salt: Buffer, info: string | Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/**
 * Identifies this deployment to push services (RFC 8292). The key is derived from the secret that
 * encrypts the subscriptions, because subscriptions are bound to the key. `subject` is a contact URL.
 */
export function createVapid(secret: string, subject: string, clock: TimeSource): Vapid {
  const privateKey = privateKeyFrom(secret)
  const ecdh = createECDH(curve)
  ecdh.setPrivateKey(privateKey)
  const publicKey = ecdh.getPublicKey('base64url')
  const key = createPrivateKey({ key: jwkFrom(privateKey, ecdh.getPublicKey()), format: 'jwk' })
  return {
    publicKey,
    authorizationFor(endpoint) {
      const exp = Math.floor(clock.now() / 1000) + tokenSeconds
      const claims = { aud: new URL(endpoint).origin, exp, sub: subject }
      const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
        .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
    },
  }
}

export type Vapid = {
  /** Application server key for browsers (Push API, 7.2). */
  readonly publicKey: string
  readonly authorizationFor: (endpoint: string) => string
}

/** The 64 extra bits avoid modulo bias (FIPS 186-5 A.2.1). */
function privateKeyFrom(secret: string): Buffer {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'vapid', 40))
  const number = (BigInt(`0x${bytes.toString('hex')}`) % (order - 1n)) + 1n
  return Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
}

function jwkFrom(privateKey: Buffer, publicKey: Buffer) {
  const [x, y, d] = [publicKey.subarray(1, 33), publicKey.subarray(33), privateKey].map((part) =>
    part.toString('base64url'),
  ) as [string, string, string]
  return { kty: 'EC', crv: 'P-256', x, y, d }
}
