import type { TLSSocket } from 'node:tls'
import { dayMs } from '../clock.ts'
import type { Validity } from '../records/validity.ts'

/** Certificates are normally renewed before this much, or a quarter, of their validity is left. */
const renewalNoticeMs = 14 * dayMs

/** Returns the validity of the server's certificate, even if it is not trusted. */
export function certificateFrom(socket: TLSSocket): Validity | undefined {
  const { valid_from: from, valid_to: until } = socket.getPeerCertificate()
  const [validFrom, validUntil] = [Date.parse(from), Date.parse(until)]
  return Number.isNaN(validUntil) ? undefined : { validFrom, validUntil }
}

export function isRenewalOverdue({ validFrom, validUntil }: Validity, now: number): boolean {
  return now >= validUntil - Math.min(renewalNoticeMs, (validUntil - validFrom) / 4)
}
