import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileName = 'mail.key'

const secretBytes = 32

/**
 * Returns the secret from the settings, or else from a file in the data directory, which is created
 * if it is missing and needed. Backups contain the encrypted addresses, but not this file.
 */
export function followSecret(
  {
    mailKey,
    dataDirectory,
  }: { readonly mailKey?: string | undefined; readonly dataDirectory: string },
  isNeeded: boolean,
): string | undefined {
  if (mailKey !== undefined) return mailKey
  const file = join(dataDirectory, fileName)
  if (!isNeeded && !existsSync(file)) return undefined
  try {
    // Fails if the file exists, so that two processes cannot both create one.
    writeFileSync(file, `${randomBytes(secretBytes).toString('base64url')}\n`, {
      flag: 'wx',
      mode: 0o600,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < secretBytes) {
    throw new Error(`${file} is incomplete. Restore it from a copy, or delete it to start over.`)
  }
  return secret
}
