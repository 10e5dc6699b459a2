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
  readonly count: () => number
}

export const heartbeatMs = 20_000

/** Leaves the count unchanged while the store is down. */
const ignore = () => undefined

export function createReplicas(
  documents: Documents,
  { id, now }: { readonly id: string; readonly now: () => number },
): Replicas {
  const document = { bucket: replicasBucket, id }
  let count = 1
  return {
    heartbeat: () =>
      withFallback(async () => {
        await documents.write([{ ...document, value: '', expiresAt: now() + aliveMs }])
        count = Math.max(1, await replicaCount(documents))
      }, ignore),
    async leave() {
      await withFallback(() => documents.write([{ ...document, value: undefined }]), ignore)
    },
    count: () => count,
  }
}

/** Returns the number of replicas that are running, or were within the last minute. */
export async function replicaCount(documents: Documents): Promise<number> {
  return (await documents.all(replicasBucket)).size
}

export async function isRunning(documents: Documents): Promise<boolean> {
  return (await replicaCount(documents)) > 0
}
