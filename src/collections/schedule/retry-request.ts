import type { Documents } from '../../store/store.ts'

/** Document through which an operator reports a fix. */
const tryAgain = { bucket: 'signals', id: 'try again' }

/** Asks running services to retry at once. Rejects with a `StoreError`. */
export async function requestRetry(documents: Documents): Promise<void> {
  await documents.write([{ ...tryAgain, value: '' }])
}

/** Returns the number of requests so far. Rejects with a `StoreError`. */
export async function retryRequestCount(documents: Documents): Promise<number> {
  return (await documents.get(tryAgain.bucket, tryAgain.id))?.revision ?? 0
}
