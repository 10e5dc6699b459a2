import { createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVapid, encryptPush } from '../../../src/delivery/following/push-encryption.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createBrowserKeys } from './received-push.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('encrypts the example of RFC 8291', () => {
  const subscription = {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const random = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const content = Buffer.from('When I grow up, I want to be a watermelon')
  expect(encryptPush(content, subscription, random).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('uses a new salt and key for each message', () => {
  const keys = createBrowserKeys()
  const content = Buffer.from('Drill moved to 7 PM')
  const [first, second] = [encryptPush(content, keys), encryptPush(content, keys)]
  for (const message of [first, second]) expect(keys.decrypt(message)).toEqual(content)
  expect(first.subarray(0, 16)).not.toEqual(second.subarray(0, 16))
  expect(first.subarray(21, 86)).not.toEqual(second.subarray(21, 86))
})

/** Returns the claims of a header's token, after verifying its signature. */
function claimsIn(header: string, publicKey: string) {
  const [, token = '', key = ''] = /^vapid t=(\S+), k=(\S+)$/.exec(header) ?? []
  expect(key).toBe(publicKey)
  const [head = '', claims = '', signature = ''] = token.split('.')
  expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
  const point = bytes(key)
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString('base64url'),
  ) as [string, string]
  const verifier = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${head}.${claims}`)
  const options = { key: verifier, dsaEncoding: 'ieee-p1363' } as const
  expect(verify('sha256', signed, options, bytes(signature))).toBe(true)
  return JSON.parse(bytes(claims).toString()) as unknown
}

test('signs the sender, the push service and the expiry', () => {
  const clock = createFakeClock()
  const subject = 'mailto:web@example.org'
  // Secrets whose keys differ in their leading bytes.
  for (let secret = 0; secret < 300; secret += 1) {
    const vapid = createVapid(`${secret}`, subject, clock)
    const header = vapid.authorizationFor('https://push.example.org/send/a?b=c')
    expect(claimsIn(header, vapid.publicKey)).toEqual({
      aud: 'https://push.example.org',
      exp: Math.floor(clock.now() / 1000) + 12 * 60 * 60,
      sub: subject,
    })
  }
})

test('derives the same key from the same secret', () => {
  const [first, again, other] = ['a', 'a', 'b'].map((secret) =>
    createVapid(secret, 'mailto:web@example.org', createFakeClock()),
  )
  // With another key, all devices would have to turn on notifications again.
  expect(first?.publicKey).toBe(
    'BBFZuRgYH6EOFU_quAUTmYKbwgxFqSfyJW2hTE1gOQd_6-cYyYmnOx-n_ocVOr9sobTll5hiGdkJYJ9XR_Xlj5Y',
  )
  expect(again?.publicKey).toBe(first?.publicKey)
  expect(other?.publicKey).not.toBe(first?.publicKey)
})
