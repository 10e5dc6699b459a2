import { StoreError } from '../store/store-error.ts'
import type { Documents } from '../store/store.ts'

/** What commands beside the running service must know of it, and cannot tell from the settings. */
export type PublicAddress = {
  /** Feedhouse's own origin inside feeds and pages. */
  readonly publicUrl: string
  /** IANA zone of the website. */
  readonly timeZone: string
}

const document = { bucket: 'service', id: 'public address' }

export async function notePublicAddress(
  documents: Pick<Documents, 'write'>,
  address: PublicAddress,
): Promise<void> {
  try {
    await documents.write([{ ...document, value: JSON.stringify(address) }])
  } catch (error) {
    // Commands go by the settings then.
    if (!(error instanceof StoreError)) throw error
  }
}

/** As the service has noted it last; undefined where none ever ran. Rejects with a `StoreError`. */
export async function notedPublicAddress(
  documents: Pick<Documents, 'get'>,
): Promise<PublicAddress | undefined> {
  const stored = await documents.get(document.bucket, document.id)
  return stored && (JSON.parse(stored.value) as PublicAddress)
}
