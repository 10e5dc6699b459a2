import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Replies to recipients at example.net, by the part before the @ sign. */
export const refusals: Readonly<Record<string, readonly [code: number, reason: string]>> = {
  gone: [550, '5.1.1 <gone@example.net>: Recipient address rejected: User unknown'],
  full: [552, '5.2.2 <full@example.net>: Mailbox is full'],
  blocked: [550, '5.7.1 Message refused by policy'],
  bare: [550, 'No such user here'],
}

/** Token of the unsubscribe URL in the returned emails. */
export const returnedToken = 'a2'.repeat(32)

/** Mail servers that write the same code for all reasons, or no report. */
export const recordedServers = ['exim', 'courier', 'opensmtpd', 'dma'] as const

/** Returns a bounce that record.sh has made. */
export function recordedBounce(server: string, recipient: string): string {
  return readFileSync(join(import.meta.dirname, `${server}.${recipient}.eml`), 'utf8')
}
