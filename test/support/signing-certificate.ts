import 'reflect-metadata' // @peculiar/x509 does not load without this.
import { webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as x509 from '@peculiar/x509'

const algorithms = {
  RSA: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  },
  EC: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
} as const

/**
 * Writes a certificate with an intermediate one and the key, like a certificate for a web server.
 * `rootFile` is the certificate authority to trust.
 */
export async function signingCertificate(
  directory: string,
  type: keyof typeof algorithms,
  notAfter = new Date('2045-01-01'),
) {
  const algorithm = algorithms[type]
  const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const [rootKeys, middleKeys, keys] = await Promise.all([newKeys(), newKeys(), newKeys()])
  const authority = [
    new x509.BasicConstraintsExtension(true, 1, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
  ]
  const signed = { notBefore: new Date('2020-01-01'), notAfter, signingAlgorithm: algorithm }
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...signed,
    name: 'CN=Test Root',
    keys: rootKeys,
    extensions: authority,
  })
  const middle = await x509.X509CertificateGenerator.create({
    ...signed,
    subject: 'CN=Test Intermediate, O=Prüfstelle',
    issuer: root.subject,
    publicKey: middleKeys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: authority,
  })
  const certificate = await x509.X509CertificateGenerator.create({
    ...signed,
    subject: 'CN=feeds.example.org',
    issuer: middle.subject,
    publicKey: keys.publicKey,
    signingKey: middleKeys.privateKey,
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    ],
  })
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  const write = (name: string, text: string) => {
    const file = join(directory, `${type}-${name}.pem`)
    writeFileSync(file, text)
    return file
  }
  return {
    certificateFile: write('chain', `${certificate.toString('pem')}\n${middle.toString('pem')}\n`),
    keyFile: write('key', x509.PemConverter.encode(der, x509.PemConverter.PrivateKeyTag)),
    rootFile: write('root', root.toString('pem')),
  }
}
