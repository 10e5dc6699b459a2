import type { Documents } from '../store/store.ts'

/*
 * A probe is a secret that `check` leaves in the store for a moment. The service that answers to it
 * through PUBLIC_URL is the one on this store, and tells how the request reached it.
 */

const bucket = 'probes'
const lifetimeMs = 2 * 60_000
const keyBytes = 20
const keyPattern = /^[\da-f]{40}$/

export async function openProbe(
  documents: Pick<Documents, 'write'>,
  options: { readonly now: number; readonly random: (bytes: number) => Buffer },
): Promise<string> {
  const key = options.random(keyBytes).toString('hex')
  await documents.write([{ bucket, id: key, value: '', expiresAt: options.now + lifetimeMs }])
  return key
}

export async function isOpenProbe(
  documents: Pick<Documents, 'get'>,
  key: string,
): Promise<boolean> {
  return keyPattern.test(key) && (await documents.get(bucket, key)) !== undefined
}
