import { dayMs } from '../clock.ts'
import { parsedJson } from '../json.ts'
import type { Documents, Write } from './store.ts'

/** Documents that the store has lost, by bucket. */
export type Loss = {
  readonly at: number
  readonly buckets: readonly string[]
  /** True if they were in a SQLite file, otherwise in Redis. */
  readonly isFile?: boolean | undefined
}

export type Losses = {
  /** No process could write these back. They are listed until an admin saves the settings. */
  readonly lost?: Loss | undefined
  /** These have been written back within the last day. */
  readonly restored?: Loss | undefined
}

export const lossBucket = 'losses'
const restoredKnownMs = dayMs

export function lostWrite(loss: Loss): Write {
  return { bucket: lossBucket, id: 'lost', value: JSON.stringify(loss) }
}

export function restoredWrite(loss: Loss): Write {
  const expiresAt = loss.at + restoredKnownMs
  return { bucket: lossBucket, id: 'restored', value: JSON.stringify(loss), expiresAt }
}

/** Returns a write that accepts the present state of a bucket that has been lost. */
export function acceptance(bucket: string): Write {
  return { bucket, id: '', value: undefined }
}

export function isAcceptance({ bucket, id }: Write, lost: string): boolean {
  return bucket === lost && id === ''
}

/** Returns the write that ends the report of lost documents. */
export const acceptedLoss: Write = { bucket: lossBucket, id: 'lost', value: undefined }

/** Rejects with a `StoreError` if the store is down. */
export async function storedLosses(documents: Documents): Promise<Losses> {
  const all = await documents.all(lossBucket)
  const lossOf = (id: string) => parsedJson(all.get(id)?.value ?? '') as Loss | undefined
  return { lost: lossOf('lost'), restored: lossOf('restored') }
}
