import { BodyTooLarge } from '../outgoing/exchange.ts'
import type { ConnectionFaultReason, UpstreamErrorKind } from './upstream-error.ts'

type ConnectionFaultKind = Extract<
  UpstreamErrorKind,
  'unreachable' | 'tls' | 'interrupted' | 'timeout' | 'body_too_large'
>

/** Returns the id of the first record of a body that is too large, if its beginning contains the id. */
export function firstRecordIdIn({ beginning }: BodyTooLarge): string | undefined {
  return /"items"\s*:\s*\[\s*\{[^{[]*?"id"\s*:\s*"?(\d{1,20})\b/i.exec(beginning)?.[1]
}

const reasons: Readonly<Record<string, ConnectionFaultReason>> = {
  ENOTFOUND: 'name unknown',
  EAI_AGAIN: 'name server',
  EAI_FAIL: 'name server',
  ECONNREFUSED: 'refused',
  ENETUNREACH: 'no route',
  EHOSTUNREACH: 'no route',
  ETIMEDOUT: 'no answer',
  UND_ERR_CONNECT_TIMEOUT: 'no answer',
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate from an unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate from an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS',
  EPROTO: 'no TLS',
}

/** Returns the code from Node or OpenSSL, which is empty if there is none, and its meaning. */
export function connectionFaultFrom(thrown: unknown) {
  // Node reports an error for each IP address of a host.
  const error: unknown = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown
  const code = codeOf(error)
  const kind = kindOf(error, code)
  const reason = kind === 'unreachable' || kind === 'tls' ? reasons[code] : undefined
  return { kind, code, reason }
}

function kindOf(error: unknown, code: string): ConnectionFaultKind {
  if (error instanceof BodyTooLarge) return 'body_too_large'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  if (isConnectError(error, code)) return 'unreachable'
  if (/^UND_ERR_\w+_TIMEOUT$|^ETIMEDOUT$/.test(code)) return 'timeout'
  if (/CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_(TLS|SSL)_|^EPROTO$/.test(code)) return 'tls'
  return 'interrupted'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isConnectError(error: unknown, code: string): boolean {
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo'
}
