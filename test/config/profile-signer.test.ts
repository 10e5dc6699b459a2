import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { readProfileSigner } from '../../src/config/profile-signer.ts'
import { temporaryDirectory } from '../support/service.ts'
import { signingCertificate } from '../support/signing-certificate.ts'
import { faultsOf } from '../support/site-environment.ts'

const temporary = temporaryDirectory()
afterAll(() => temporary[Symbol.dispose]())
const directory = temporary.path
const rsa = await signingCertificate(directory, 'RSA')
const ec = await signingCertificate(directory, 'EC')
const now = Date.UTC(2026, 4, 1)

function fileWith(name: string, text: string | Buffer): string {
  const file = join(directory, name)
  writeFileSync(file, text)
  return file
}

const ed25519 = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' })
const encrypted = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
  cipher: 'aes-256-cbc',
  passphrase: 'secret',
})
const text = fileWith('text.pem', 'not PEM')
const noCertificate = 'PROFILE_CERT_FILE must be the path of a PEM file with a certificate.'
const noKey =
  'PROFILE_KEY_FILE must be the path of a PEM file with an RSA or EC private key without a password.'

test.each([
  ['RSA', rsa],
  ['EC', ec],
])('reads a certificate, its chain and an %s key', (_, files) => {
  const read = readProfileSigner(files, now)
  expect(read).toMatchObject({
    signer: { certificates: [{ subject: 'CN=feeds.example.org' }, { issuer: 'CN=Test Root' }] },
  })
})

test.each([
  ['text as a certificate', { ...ec, certificateFile: text }, noCertificate],
  ['a key as a certificate', { ...ec, certificateFile: ec.keyFile }, noCertificate],
  ['text as a key', { ...ec, keyFile: text }, noKey],
  ['a certificate as a key', { ...ec, keyFile: ec.certificateFile }, noKey],
  ['a key of another kind', { ...ec, keyFile: fileWith('ed25519.pem', ed25519) }, noKey],
  ['a key with a password', { ...ec, keyFile: fileWith('encrypted.pem', encrypted) }, noKey],
  [
    'another key',
    { ...ec, keyFile: rsa.keyFile },
    'PROFILE_KEY_FILE is not the key of the first certificate in PROFILE_CERT_FILE.',
  ],
  [
    'a missing certificate',
    { ...ec, certificateFile: '/none.pem' },
    'PROFILE_CERT_FILE names a file that does not exist: /none.pem.',
  ],
  [
    'a missing key',
    { ...ec, keyFile: '/none.pem' },
    'PROFILE_KEY_FILE names a file that does not exist: /none.pem.',
  ],
])('rejects %s', (_, files, fault) => {
  expect(readProfileSigner(files, now)).toEqual({ fault })
})

test('rejects an expired certificate', () => {
  expect(readProfileSigner(ec, Date.UTC(2045, 0, 1) - 1)).toHaveProperty('signer')
  expect(readProfileSigner(ec, Date.UTC(2045, 0, 1))).toEqual({
    fault: 'The certificate in PROFILE_CERT_FILE expired on 2045-01-01.',
  })
})

test('resolves both files relative to the directory of the settings', () => {
  const settings = { PROFILE_CERT_FILE: 'EC-chain.pem', PROFILE_KEY_FILE: 'EC-key.pem' }
  const { certificateFile, keyFile } = ec
  expect(readConfig(settings, [], directory).profileSigner).toEqual({ certificateFile, keyFile })
  expect(readConfig({}).profileSigner).toBeUndefined()
})

test('does not keep the service from starting with an expired certificate', async () => {
  using expired = temporaryDirectory()
  const files = await signingCertificate(expired.path, 'EC', new Date('2025-01-01'))
  expect(readProfileSigner(files, now)).toHaveProperty('fault')
  const { certificateFile, keyFile } = files
  const settings = { PROFILE_CERT_FILE: certificateFile, PROFILE_KEY_FILE: keyFile }
  expect(readConfig(settings).profileSigner).toEqual({ certificateFile, keyFile })
})

test.each([
  ['PROFILE_CERT_FILE is set, but PROFILE_KEY_FILE is not.', { PROFILE_CERT_FILE: '/none' }],
  ['PROFILE_KEY_FILE is set, but PROFILE_CERT_FILE is not.', { PROFILE_KEY_FILE: '/none' }],
  [
    'PROFILE_CERT_FILE names a file that does not exist: /none.',
    { PROFILE_CERT_FILE: '/none', PROFILE_KEY_FILE: '/none' },
  ],
])('reports at the start: %s', (fault, settings) => {
  expect(faultsOf(settings)).toEqual([fault])
})
