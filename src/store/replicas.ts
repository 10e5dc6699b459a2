import { StoreError } from './store-error.ts'
import type { Documents } from './store.ts'

/** Has a document for each one that is there. */
export const replicasBucket = 'replicas'
const aliveMs = 60_000

/** The replicas that share a store. */
export type Replicas = {
  /** Says that this one is there, and counts the others. Goes by the last count when it cannot. */
  readonly heartbeat: () => Promise<void>
  readonly leave: () => Promise<void>
  /** Counts the others without being one of them. */
  readonly observe: () => Promise<void>
  readonly count: () => number
}

export const heartbeatMs = 20_000

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
      unlessGone(async () => {
        await documents.write([
          { bucket: replicasBucket, id, value: '', expiresAt: now() + aliveMs },
        ])
        await observe()
      }),
    leave: () =>
      unlessGone(() => documents.write([{ bucket: replicasBucket, id, value: undefined }])),
    observe: () => unlessGone(observe),
    count: () => count,
  }
}

/** Whether there is any at present, or was a moment ago. */
export async function isRunning(documents: Pick<Documents, 'all'>): Promise<boolean> {
  return (await documents.all(replicasBucket)).size > 0
}

/** Without the store the last count stands. */
async function unlessGone(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}
