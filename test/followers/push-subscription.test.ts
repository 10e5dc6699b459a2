import { expect, test } from 'vitest'
import {
  addressFrom,
  knownServiceOf,
  readEndpoint,
  readSubscription,
  subscriptionFrom,
} from '../../src/followers/push-subscription.ts'

/** Keys of the example in RFC 8291. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const endpoint = 'https://fcm.googleapis.com/fcm/send/abc:d-e_f'

test('reads what a browser sends, and restores it from the address', () => {
  const read = readSubscription({ endpoint, expirationTime: null, keys })
  expect(read).toEqual({ endpoint, ...keys })
  expect(read && subscriptionFrom(addressFrom(read))).toEqual(read)
})

test.for(['#', '#a', '#a#b'])(
  'ignores the fragment in an endpoint that ends with %s',
  (fragment) => {
    expect(readSubscription({ endpoint: endpoint + fragment, keys })).toEqual({ endpoint, ...keys })
    expect(readEndpoint(endpoint + fragment)).toBe(endpoint)
  },
)

test.for([
  ['plain HTTP', 'http://push.example.org/a'],
  ['another protocol', 'file:///etc/passwd'],
  ['an IPv4 address', 'https://93.184.216.34/a'],
  ['the metadata service', 'https://169.254.169.254/latest'],
  ['an IPv4 address as a number', 'https://2130706433/a'],
  ['an IPv6 address', 'https://[2606:4700::1]/a'],
  ['an IPv6 address of this machine', 'https://[::1]/a'],
  ['a name without a domain', 'https://localhost/a'],
  ['a name of this machine that ends with a dot', 'https://localhost./a'],
  ['a name of a push service that ends with a dot', 'https://fcm.googleapis.com./a'],
  ['a name of a local network', 'https://push.office.lan/a'],
  ['another name of this machine', 'https://localhost.localdomain/a'],
  ['a name of a company network', 'https://push.office.corp/a'],
  ['another port', 'https://push.example.org:8443/a'],
  ['a password', 'https://user:secret@push.example.org/a'],
  ['no address', 'push.example.org'],
  ['a long address', `https://push.example.org/${'a'.repeat(2_000)}`],
] as const)('rejects an endpoint with %s', ([, invalid]) => {
  expect(readSubscription({ endpoint: invalid, keys })).toBeUndefined()
})

test.for([
  ['a short key', { ...keys, p256dh: keys.p256dh.slice(0, -4) }],
  ['a key that is not on the curve', { ...keys, p256dh: `BB${keys.p256dh.slice(2)}` }],
  ['a compressed key', { ...keys, p256dh: `Ag${keys.p256dh.slice(2)}` }],
  ['other characters', { ...keys, p256dh: keys.p256dh.replaceAll('_', '/') }],
  ['a short secret', { ...keys, auth: 'AAAA' }],
  ['no secret', { p256dh: keys.p256dh }],
] as const)('rejects %s', ([, invalid]) => {
  expect(readSubscription({ endpoint, keys: invalid })).toBeUndefined()
})

test('does not store characters that would separate parts of the address', () => {
  const read = readSubscription({ endpoint: 'https://push.example.org/a b\nc', keys })
  expect(read?.endpoint).toBe('https://push.example.org/a%20bc')
})

test.for([
  [endpoint, 'Google'],
  ['https://jmt17.google.com/fcm/send/a', 'Google'],
  ['https://updates.push.services.mozilla.com/wpush/v2/a', 'Mozilla'],
  ['https://web.push.apple.com/Q', 'Apple'],
  ['https://wns2-by3p.notify.windows.com/w/?token=a', 'Microsoft'],
  ['no URL', undefined],
  ['https://fcm.googleapis.com.example.org/', undefined],
  ['https://example.org/fcm.googleapis.com', undefined],
] as const)('knows the push service of %s', ([address, service]) => {
  expect(knownServiceOf(address)).toBe(service)
})
