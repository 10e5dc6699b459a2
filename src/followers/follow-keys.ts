import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { base32From } from '../links/feed-link.ts'
import type { Follower, FollowMeans } from './follower.ts'

const cipherName = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** Ids and the secret part of tokens are MACs with 160 bits, in 32 characters. */
const macBytes = 20
const idLength = 32

/** Purposes of the tokens in messages. A token for one purpose does not work for another. */
export type TokenPurpose = 'manage' | 'end'

export type FollowKeys = {
  /** Always the same for an address, and cannot be derived without the secret. */
  readonly idOf: (means: FollowMeans, address: string, linkId?: string) => string
  /** Returns the name of a counting window, which does not reveal what is counted. */
  readonly windowName: (use: string, text: string) => string
  /** Encrypts a text for one use, which must be the same when decrypting. */
  readonly encrypt: (text: string, use?: string) => string
  /** Returns undefined if the text was encrypted with another secret or use, or is damaged. */
  readonly decrypt: (encrypted: string, use?: string) => string | undefined
  /** Returns a token for messages, which becomes invalid when the follower is deleted. */
  readonly tokenFor: (purpose: TokenPurpose, follower: Follower) => string
  readonly idIn: (token: string) => string
  readonly isValid: (token: string, purpose: TokenPurpose, follower: Follower) => boolean
}

/** Encrypts addresses and creates ids and tokens from the deployment's secret. */
export function createFollowKeys(secret: string): FollowKeys {
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', secret, '', use, 32))
  const [addressKey, idKey, tokenKey] = ['addresses', 'ids', 'tokens'].map(derived) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  const tokenFor: FollowKeys['tokenFor'] = (purpose, { id, createdAt }) =>
    `${id}${macOf(tokenKey, [purpose, id, createdAt])}`

  return {
    idOf: (means, address, linkId = '') =>
      macOf(idKey, [means, comparable(means, address), linkId]),
    windowName: (use, text) => `${use} ${macOf(idKey, ['window', use, text])}`,
    encrypt(text, use = '') {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(cipherName, addressKey, nonce).setAAD(Buffer.from(use))
      const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
      return Buffer.concat([nonce, ...encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    decrypt(encrypted, use = '') {
      const bytes = Buffer.from(encrypted, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv(cipherName, addressKey, bytes.subarray(0, nonceBytes))
      decipher.setAAD(Buffer.from(use)).setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
        return Buffer.concat([text, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
    tokenFor,
    idIn: (token) => token.slice(0, idLength),
    isValid(token, purpose, follower) {
      const [given, expected] = [token, tokenFor(purpose, follower)].map((text) =>
        Buffer.from(text),
      )
      return (
        given?.length === expected?.length && timingSafeEqual(given as Buffer, expected as Buffer)
      )
    },
  }
}

function macOf(key: Buffer, parts: readonly (string | number)[]): string {
  const mac = createHmac('sha256', key).update(JSON.stringify(parts)).digest()
  return base32From(mac.subarray(0, macBytes))
}

/**
 * Returns the part that identifies the follower: the endpoint of a push subscription, or the email
 * address in lower case. Mail servers may treat the part before the @ as case-sensitive, but do
 * not.
 */
function comparable(means: FollowMeans, address: string): string {
  return means === 'mail' ? address.trim().toLowerCase() : (address.split(' ')[0] ?? '')
}
