import { diskFailure } from './data-directory.ts'
import { withFallback, type StoreError } from './store-error.ts'
import type { Documents } from './store.ts'

/*
 * A probe is a secret that the check command stores for two minutes. If the service at PUBLIC_URL
 * recognizes it, that service uses the same store and reports how the request reached it.
 */

const bucket = 'probes'
const lifetimeMs = 2 * 60_000
const keyBytes = 20
const keyPattern = /^[\da-f]{40}$/

/** Stores a new probe. Returns its key. */
export async function openProbe(
  documents: Documents,
  options: { readonly now: number; readonly random: (bytes: number) => Buffer },
): Promise<string> {
  const key = options.random(keyBytes).toString('hex')
  await documents.write([{ bucket, id: key, value: '', expiresAt: options.now + lifetimeMs }])
  return key
}

/** Returns true if a probe with the key is in the store. */
export async function isOpenProbe(documents: Documents, key: string): Promise<boolean> {
  return keyPattern.test(key) && (await documents.get(bucket, key)) !== undefined
}

/** Returns an error if nothing can be stored, for which it stores a probe. */
export async function writeFailure(
  documents: Documents,
  options: Parameters<typeof openProbe>[1] & {
    /** Directory with the store; undefined if the store is elsewhere. */
    readonly directory: string | undefined
  },
): Promise<StoreError | undefined> {
  const full = await diskFailure(options.directory)
  const write = async () => void (await openProbe(documents, options))
  return full ?? withFallback(write, (error) => error)
}
