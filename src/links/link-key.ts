import { createHash } from 'node:crypto'

/** The secret part of a feed link's URL: 160 random bits in lowercase base32 (RFC 4648 6). */
export const keyBytes = 20

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const bitsPerLetter = 5

/** Encodes in letters that survive messages, paper and being read aloud. */
export function base32From(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(new RegExp(`.{${bitsPerLetter}}`, 'g')) ?? []
  return groups.map((group) => alphabet[Number.parseInt(group, 2)]).join('')
}

/** The only stored form of a key: 160 random bits cannot be guessed, so a fast unsalted hash is enough. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('base64url')
}
