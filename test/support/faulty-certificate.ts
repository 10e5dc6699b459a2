import 'reflect-metadata' // @peculiar/x509 does not load without this.
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60 * 1000

/** First and last day on which the certificate is valid, relative to today. */
const periods: Readonly<Record<string, readonly [number, number]>> = {
  expired: [-30, -1],
  'not yet valid': [1, 30],
  'short-lived': [-1, 5],
}

/**
 * Creates a certificate with a single defect, or a sound short-lived one. `caPem` is the certificate authority to trust, if
 * any.
 */
export async function faultyCertificate(
  fault:
    | 'expired'
    | 'not yet valid'
    | 'short-lived'
    | 'another host'
    | 'self-signed'
    | 'unknown authority',
) {
  const authorityKeys = await newKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test CA',
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    ...validity(-1, 30),
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  const keys = fault === 'self-signed' ? authorityKeys : await newKeys()
  const [first, last] = periods[fault] ?? [-1, 30]
  const name = fault === 'another host' ? 'www.example.org' : 'localhost'
  const certificate = await x509.X509CertificateGenerator.create({
    subject: fault === 'self-signed' ? 'CN=localhost' : `CN=${name}`,
    issuer: fault === 'self-signed' ? 'CN=localhost' : authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    ...validity(first, last),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  })
  const der = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  const isTrusted = !['self-signed', 'unknown authority'].includes(fault)
  return {
    cert: certificate.toString('pem'),
    key: x509.PemConverter.encode(der, x509.PemConverter.PrivateKeyTag),
    caPem: isTrusted ? authority.toString('pem') : undefined,
  }
}

function newKeys() {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
}

function validity(firstDay: number, lastDay: number) {
  return { notBefore: dateIn(firstDay), notAfter: dateIn(lastDay) }
}

function dateIn(days: number): Date {
  return new Date(Date.now() + days * dayMs)
}
