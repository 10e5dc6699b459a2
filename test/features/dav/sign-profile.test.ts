import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readProfileSigner } from '../../../src/config/profile-signer.ts'
import { signProfile } from '../../../src/features/dav/sign-profile.ts'
import { programIsMissing } from '../../support/programs.ts'
import { testDirectory } from '../../support/service.ts'
import { signingCertificate } from '../../support/signing-certificate.ts'

const now = Date.UTC(2026, 4, 7, 19, 30, 5)
const profile = '<plist version="1.0">Feuerwehr Größe</plist>\n'

const openssl = (...options: readonly string[]) =>
  execFileSync('openssl', ['cms', ...options, '-inform', 'DER'], {
    encoding: 'utf8',
    stdio: 'pipe',
  })

/** Signs the profile. Returns the paths of the signed file and the certificate authority. */
async function signedFile(type: 'RSA' | 'EC') {
  const directory = testDirectory()
  const files = await signingCertificate(directory, type)
  const read = readProfileSigner(files, now)
  if ('fault' in read) throw new Error(read.fault)
  const file = join(directory, `${type}.mobileconfig`)
  writeFileSync(file, await signProfile(profile, read.signer, now))
  return { file, ...files }
}

const verify = (file: string, rootFile: string) =>
  openssl('-verify', '-binary', '-purpose', 'any', '-in', file, '-CAfile', rootFile)

test.skipIf(programIsMissing('openssl')).for([
  ['RSA', 'rsaEncryption (1.2.840.113549.1.1.1)'],
  ['EC', 'ecdsa-with-SHA256 (1.2.840.10045.4.3.2)'],
] as const)('OpenSSL verifies a profile signed with an %s key', async ([type, algorithm]) => {
  const { file, rootFile } = await signedFile(type)
  expect(verify(file, rootFile)).toBe(profile)
  const [, signer = ''] = openssl('-cmsout', '-print', '-noout', '-in', file).split('signerInfos:')
  expect(signer).toContain('issuer: CN=Test Intermediate')
  expect(signer).toContain('OBJECT:pkcs7-data (1.2.840.113549.1.7.1)')
  expect(signer).toContain('UTCTIME:May  7 19:30:05 2026 GMT')
  const attributes = [...signer.matchAll(/object: (\w+)/g)].map(([, name]) => name)
  expect(attributes).toEqual(['contentType', 'signingTime', 'messageDigest'])
  const [, used] = /signatureAlgorithm:\s+algorithm: (.*)/.exec(signer) ?? []
  expect(used).toBe(algorithm)
})

test.skipIf(programIsMissing('openssl'))(
  'OpenSSL rejects a modified profile and an unrelated authority',
  async () => {
    const { file, rootFile } = await signedFile('EC')
    const other = await signingCertificate(testDirectory(), 'EC')
    expect(() => verify(file, other.rootFile)).toThrow('certificate signature failure')
    const bytes = readFileSync(file)
    bytes[bytes.indexOf('Feuerwehr')] = 0x66
    writeFileSync(file, bytes)
    expect(() => verify(file, rootFile)).toThrow('content verify error')
  },
)
