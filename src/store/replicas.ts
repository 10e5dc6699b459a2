import { withFallback } from './store-error.ts'
import type { Confirmation, Documents } from './store.ts'

export const replicasBucket = 'replicas'
/** The states that each running service remembers and would write back. */
export const confirmationsBucket = 'confirmations'

export const aliveMs = 60_000

export const heartbeatMs = 20_000

/** Registers and counts the replicas that share a store. Keeps its count while the store is down. */
export function createReplicas(
  documents: Documents,
  { id, now }: { readonly id: string; readonly now: () => number },
) {
  const document = { bucket: replicasBucket, id }
  let count = 1
  return {
    heartbeat: () =>
      withFallback(async () => {
        await documents.write([{ ...document, value: '', expiresAt: now() + aliveMs }])
        count = Math.max(1, await replicaCount(documents))
      }),
    leave: async (): Promise<void> => {
      await withFallback(() => documents.write([{ ...document, value: undefined }]))
    },
    count: () => count,
  }
}

/** Returns the number of replicas that have been running within the last minute. */
export async function replicaCount(documents: Documents): Promise<number> {
  return (await documents.all(replicasBucket)).size
}

/** Returns true if all other services remember a change, or if there are none. */
export function isConfirmed({ services, confirming }: Confirmation): boolean {
  return confirming === services
}

export async function isRunning(documents: Documents): Promise<boolean> {
  return (await replicaCount(documents)) > 0
}
