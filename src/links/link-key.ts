import { createHash } from 'node:crypto'

/** The secret part of a feed link's address: 160 random bits in base32 (RFC 4648 6), in small letters. */
export const keyBytes = 20

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const bitsPerLetter = 5

/** Letters that stay whole in messages, on paper and when read aloud. */
export function base32From(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{${bitsPerLetter}}`, 'g')) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group, 2)]).join('')
}

/** All that is kept of a key: nobody can guess 160 bits, so a fast hash without salt is enough. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
