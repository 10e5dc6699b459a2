import 'reflect-metadata' // @peculiar/x509 does not load without this import
import { createPrivateKey, webcrypto, X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as x509 from '@peculiar/x509'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const dayMs = 24 * 60 * 60 * 1000
const authorityDays = 3650
/** Validity of the server certificate. Apple rejects certificates that are valid for more than 825 days. */
const serverDays = 800

export type Certificate = {
  /** Absolute path of the certificate authority's PEM file, which clients must trust. */
  readonly caFile: string
  /** Server certificate in PEM format. */
  readonly cert: string
  readonly key: string
}

/**
 * Returns a server certificate for localhost, signed by the certificate authority in a directory. Creates
 * the authority if it is missing or unusable.
 */
export async function localhostCertificate(directory: string): Promise<Certificate> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const caFile = resolve(directory, 'ca.pem')
  const caKeyFile = join(directory, 'ca-key.pem')
  if (!isUsable(caFile, caKeyFile)) await createAuthority(caFile, caKeyFile)
  const authority = new x509.X509Certificate(readFileSync(caFile, 'utf8'))
  const authorityKey = await importPrivateKey(readFileSync(caKeyFile, 'utf8'))
  return { caFile, ...(await createServerCertificate(authority, authorityKey)) }
}

/** Returns false if files are missing, damaged, mismatched or about to expire. */
function isUsable(caFile: string, caKeyFile: string): boolean {
  try {
    const authority = new X509Certificate(readFileSync(caFile))
    const outlivesServer = authority.validToDate.getTime() > Date.now() + serverDays * dayMs
    return outlivesServer && authority.checkPrivateKey(createPrivateKey(readFileSync(caKeyFile)))
  } catch {
    return false
  }
}

async function createAuthority(caFile: string, caKeyFile: string): Promise<void> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Feedhouse sandbox CA',
    keys,
    signingAlgorithm: algorithm,
    ...validFor(authorityDays),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  writeFileSync(caKeyFile, await privateKeyPem(keys.privateKey), { mode: 0o600 })
  writeFileSync(caFile, certificate.toString('pem'))
}

async function createServerCertificate(
  authority: x509.X509Certificate,
  authorityKey: webcrypto.CryptoKey,
): Promise<Pick<Certificate, 'cert' | 'key'>> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey: authorityKey,
    signingAlgorithm: algorithm,
    ...validFor(serverDays),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
      await x509.AuthorityKeyIdentifierExtension.create(authority),
    ],
  })
  return { cert: certificate.toString('pem'), key: await privateKeyPem(keys.privateKey) }
}

function validFor(days: number) {
  const notBefore = new Date(Date.now() - dayMs)
  return { notBefore, notAfter: new Date(Date.now() + days * dayMs) }
}

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = await webcrypto.subtle.exportKey('pkcs8', key)
  return x509.PemConverter.encode(der, x509.PemConverter.PrivateKeyTag)
}

function importPrivateKey(pem: string): Promise<webcrypto.CryptoKey> {
  const [der] = x509.PemConverter.decode(pem)
  if (!der) throw new TypeError('no private key in the PEM file')
  return webcrypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign'])
}
