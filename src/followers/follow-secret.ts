import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '../store/store-error.ts'

const fileName = 'mail.key'

const secretBytes = 32

/** Document that contains the secret in backups. It is never in a store. */
export const followSecretDocument = { bucket: 'follow-secret', id: fileName }

type SecretSettings = { readonly mailKey?: string | undefined; readonly dataDirectory: string }

export const followSecretFile = (dataDirectory: string) => join(dataDirectory, fileName)

/**
 * Returns the secret from the settings, or else from a file in the data directory, which is created
 * if it is missing and needed.
 */
export function followSecret(settings: SecretSettings, isNeeded: boolean): string | undefined {
  if (settings.mailKey !== undefined || !isNeeded) return knownFollowSecret(settings)
  writeFollowSecret(settings.dataDirectory, randomBytes(secretBytes).toString('base64url'))
  return knownFollowSecret(settings)
}

/** The settings take precedence over the file. Throws a `StoreError` if the file is incomplete. */
export function knownFollowSecret({ mailKey, dataDirectory }: SecretSettings): string | undefined {
  const file = followSecretFile(dataDirectory)
  if (mailKey !== undefined || !existsSync(file)) return mailKey
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < secretBytes) {
    const text = `${file} is incomplete. Restore it from a copy, or delete it to start over.`
    throw new StoreError('unusable', text)
  }
  return secret
}

/** Writes the file, unless it exists. */
export function writeFollowSecret(dataDirectory: string, secret: string): void {
  try {
    // Fails if the file exists, so that two processes cannot both create one.
    writeFileSync(followSecretFile(dataDirectory), `${secret}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
