import { withFallback } from './store-error.ts'
import type { Documents } from './store.ts'

/** URL and time zone of the running service, which commands may not be able to read from settings. */
export type PublicAddress = {
  /** Base URL of links in feeds and pages. */
  readonly publicUrl: string
  /** IANA time zone of the website. */
  readonly timeZone: string
}

const document = { bucket: 'service', id: 'public address' }

export async function notePublicAddress(
  documents: Pick<Documents, 'write'>,
  address: PublicAddress,
): Promise<void> {
  await withFallback(
    () => documents.write([{ ...document, value: JSON.stringify(address) }]),
    // If the store is down, commands use the settings instead.
    () => undefined,
  )
}

/**
 * Returns the URL and time zone that the service last stored; undefined if it has never run. Rejects
 * with a `StoreError` if the store is down.
 */
export async function notedPublicAddress(
  documents: Pick<Documents, 'get'>,
): Promise<PublicAddress | undefined> {
  const stored = await documents.get(document.bucket, document.id)
  return stored && (JSON.parse(stored.value) as PublicAddress)
}
