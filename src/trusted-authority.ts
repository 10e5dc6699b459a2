import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

let latest: { readonly caPem: string; readonly secureContext: SecureContext } | undefined

/**
 * Returns a TLS context that also trusts a certificate authority. All connections to a site share it,
 * because it takes time to parse all certificates, and memory outside the heap to keep them.
 */
export function contextTrusting(caPem: string): SecureContext {
  if (latest?.caPem !== caPem) {
    const ca = [...getCACertificates('default'), caPem]
    latest = { caPem, secureContext: createSecureContext({ ca }) }
  }
  return latest.secureContext
}
