import { withFallback } from '../store/store-error.ts'
import type { Documents } from '../store/store.ts'

/** Facts about the running service that commands cannot read from the settings. */
export type PublicAddress = {
  /** Base URL inside feeds and pages. */
  readonly publicUrl: string
  /** IANA zone of the website. */
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
 * Returns the URL and zone that the service stored last; undefined if it never ran. Rejects with a
 * `StoreError`.
 */
export async function notedPublicAddress(
  documents: Pick<Documents, 'get'>,
): Promise<PublicAddress | undefined> {
  const stored = await documents.get(document.bucket, document.id)
  return stored && (JSON.parse(stored.value) as PublicAddress)
}
