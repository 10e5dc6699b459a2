import type { Documents } from '../../store/store.ts'

/** Where it is said that what was wrong is mended. */
const tryAgain = { bucket: 'signals', id: 'try again' }

/** Tells running services to try at once what they put off. Rejects with a `StoreError`. */
export async function requestRetry(documents: Documents): Promise<void> {
  await documents.write([{ ...tryAgain, value: '' }])
}

/** How often it was told so far. Rejects with a `StoreError`. */
export async function retryRequestCount(documents: Documents): Promise<number> {
  return (await documents.get(tryAgain.bucket, tryAgain.id))?.revision ?? 0
}
