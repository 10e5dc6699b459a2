import { domainToASCII } from 'node:url'

/** RFC 5321 4.5.3.1, which allows 256 with the angle brackets. */
export const maxAddressLength = 254

/** A dot-string without the characters that need quoting (RFC 5321 4.1.2). */
const localPart = /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/

const unicodeHost = /^[\p{L}\p{M}\p{N}.-]+$/u

/** A host name with a top-level domain, unlike an IP address. */
const host = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?=[\d-]*[a-z])[a-z\d][a-z\d-]*[a-z\d]$/

export type AddressReading =
  | { readonly ok: true; readonly address: string }
  | { readonly ok: false; readonly fault: 'missing' | 'invalid' | 'too long' }

/** Reads an email address from a form. Converts an internationalized host name to ASCII. */
export function readMailAddress(entered: string): AddressReading {
  const text = entered.trim()
  if (text === '') return { ok: false, fault: 'missing' }
  if (text.length > maxAddressLength) return { ok: false, fault: 'too long' }
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
  const ascii = unicodeHost.test(domain) ? domainToASCII(domain) : ''
  if (at < 0 || !localPart.test(local) || !host.test(ascii)) return { ok: false, fault: 'invalid' }
  const address = `${local}@${ascii}`
  if (address.length > maxAddressLength) return { ok: false, fault: 'too long' }
  return { ok: true, address }
}

const gmailHosts = ['gmail.com', 'googlemail.com']

/**
 * Returns one address for all spellings that reach the same mailbox: with other cases, with a text
 * after a plus sign, and at Gmail with dots. For limits only, because other services may differ.
 */
export function mailboxOf(address: string): string {
  const [, local = '', host = ''] = /^(.*)@(.*)$/s.exec(address.trim().toLowerCase()) ?? []
  const name = local.replace(/(?<=.)\+.*/s, '')
  return gmailHosts.includes(host) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${host}`
}

/** Returns a masked address like `n…@example.org`. */
export function maskedAddress(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`
}
