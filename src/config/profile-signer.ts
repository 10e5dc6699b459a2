import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { reasonOf } from './environment.ts'

/** Absolute paths of PEM files. */
export type ProfileSignerFiles = {
  /** The certificate, followed by the intermediate ones. */
  readonly certificateFile: string
  readonly keyFile: string
}

export type ProfileSigner = {
  readonly certificates: readonly [X509Certificate, ...X509Certificate[]]
  readonly key: KeyObject
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads the certificate and key that sign profiles for Apple devices, or returns the fault. */
export function readProfileSigner(
  { certificateFile, keyFile }: ProfileSignerFiles,
  now: number,
): { readonly signer: ProfileSigner } | { readonly fault: string } {
  const certificates = read('PROFILE_CERT_FILE', certificateFile, (text) => {
    const [own, ...others] = (text.match(pemCertificate) ?? []).map(
      (pem) => new X509Certificate(pem),
    )
    return own && ([own, ...others] as const)
  })
  if (typeof certificates === 'string') return { fault: certificates }
  const key = read('PROFILE_KEY_FILE', keyFile, (text) => {
    const privateKey = createPrivateKey(text)
    return /^(?:rsa|ec)$/.test(privateKey.asymmetricKeyType ?? '') ? privateKey : undefined
  })
  if (typeof key === 'string') return { fault: key }
  const [own] = certificates
  if (!own.checkPrivateKey(key)) {
    return {
      fault: 'PROFILE_KEY_FILE is not the key of the first certificate in PROFILE_CERT_FILE.',
    }
  }
  if (own.validToDate.getTime() <= now) {
    const day = own.validToDate.toISOString().slice(0, 10)
    return { fault: `The certificate in PROFILE_CERT_FILE expired on ${day}.` }
  }
  return { signer: { certificates, key } }
}

const contents = {
  PROFILE_CERT_FILE: 'a certificate',
  PROFILE_KEY_FILE: 'an RSA or EC private key without a password',
}

/** Reads and parses a file. Returns a sentence if that fails. */
function read<T>(
  name: keyof typeof contents,
  file: string,
  parse: (text: string) => T | undefined,
): T | string {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    return `${name} names a file that ${reasonOf(error)}: ${file}.`
  }
  const invalid = `${name} must be the path of a PEM file with ${contents[name]}.`
  try {
    return parse(text) ?? invalid
  } catch {
    return invalid
  }
}
