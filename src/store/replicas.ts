import { withFallback } from './store-error.ts'
import type { Documents } from './store.ts'

/** Bucket with one document per running replica. */
export const replicasBucket = 'replicas'
const aliveMs = 60_000

/** Registers and counts the replicas that share a store. */
export type Replicas = {
  /**
   * Registers this replica and counts all replicas. While the store is down, the count stays
   * unchanged.
   */
  readonly heartbeat: () => Promise<void>
  readonly leave: () => Promise<void>
  /** Counts the replicas without registering this one. */
  readonly observe: () => Promise<void>
  readonly count: () => number
}

export const heartbeatMs = 20_000

/** Leaves the count unchanged while the store is down. */
const ignore = () => undefined

export function createReplicas(
  documents: Documents,
  { id, now }: { readonly id: string; readonly now: () => number },
): Replicas {
  let count = 1

  async function observe(): Promise<void> {
    count = Math.max(1, (await documents.all(replicasBucket)).size)
  }

  return {
    heartbeat: () =>
      withFallback(async () => {
        await documents.write([
          { bucket: replicasBucket, id, value: '', expiresAt: now() + aliveMs },
        ])
        await observe()
      }, ignore),
    async leave() {
      const leave = [{ bucket: replicasBucket, id, value: undefined }]
      await withFallback(() => documents.write(leave), ignore)
    },
    observe: () => withFallback(observe, ignore),
    count: () => count,
  }
}

/** Returns true if a replica is running, or was within the last minute. */
export async function isRunning(documents: Documents): Promise<boolean> {
  return (await documents.all(replicasBucket)).size > 0
}

/** Document whose revision increases whenever an operator reports a fix. */
const tryAgain = { bucket: 'signals', id: 'try again' }

/** Tells running services to retry immediately. Rejects with a `StoreError`. */
export async function requestRetry(documents: Documents): Promise<void> {
  await documents.write([{ ...tryAgain, value: '' }])
}

/** Returns the number of retry requests so far. Rejects with a `StoreError`. */
export async function retryRequestCount(documents: Documents): Promise<number> {
  return (await documents.get(tryAgain.bucket, tryAgain.id))?.revision ?? 0
}
