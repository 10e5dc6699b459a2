import { isIP } from 'node:net'

const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|::1|0\.0\.0\.0|::)$/
const privateAddress =
  /^(?:10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/
/** Names without a domain, and those of local networks (RFC 6762, RFC 8375). */
const privateName =
  /^[^.]*$|(?:^|\.)(?:local|localhost|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)$/

export const urlWarnings = {
  machine:
    'This address works only on this machine. Set PUBLIC_URL to the address that phones use.',
  network:
    'This address works only inside your own network. Set PUBLIC_URL to the address that phones use.',
  unencrypted:
    'This address is not encrypted: anyone on the network path can read it, and some calendar apps reject it. Put an https proxy in front of Feedhouse and set PUBLIC_URL to the https address.',
}

/** Returns true for a host name that only a local network or this machine has. */
export function isLocalName(name: string): boolean {
  return privateName.test(name.replace(/\.$/, ''))
}

/** Explains why phones cannot use feeds at this URL, and the fix. Returns undefined if they can. */
export function urlWarning(publicUrl: string, warnings = urlWarnings): string | undefined {
  const { protocol, hostname } = new URL(publicUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  if (loopback.test(host)) return warnings.machine
  if (isIP(host) === 0 ? isLocalName(host) : privateAddress.test(host)) return warnings.network
  return protocol === 'http:' ? warnings.unencrypted : undefined
}
