import type { Clock } from '../../clock.ts'
import type { StoreAccess } from '../../store/store-error.ts'
import type { Leases } from '../../store/store.ts'

/** Limits how long a killed replica blocks the others. Leases are renewed during longer reads. */
const leaseMs = 20_000

const leasing = 'leases'

export type ReadingLeases = {
  /** Resolves to false if another replica has the lease. Without the store, every replica gets it. */
  readonly take: (name: string, ttlMs: number) => Promise<boolean>
  /** Runs `work` unless another replica is running it. Resolves to true if it ran. */
  readonly alone: (name: string, work: () => Promise<void>) => Promise<boolean>
  /** Acquires a lease if that has failed, which shows early whether the store has recovered. */
  readonly retry: () => Promise<void>
}

export function createReadingLeases(
  leases: Leases,
  access: StoreAccess,
  clock: Clock,
  holder: string,
): ReadingLeases {
  function take(name: string, ttlMs: number): Promise<boolean> {
    return access.use(leasing, () => leases.take(name, holder, ttlMs), true)
  }

  async function keep(name: string, until: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(leaseMs / 2, until).catch(() => undefined)
      if (until.aborted) return
      await take(name, leaseMs)
    }
  }

  async function alone(name: string, work: () => Promise<void>): Promise<boolean> {
    if (!(await take(name, leaseMs))) return false
    const over = new AbortController()
    const renewing = keep(name, over.signal)
    try {
      await work()
      return true
    } finally {
      over.abort()
      await renewing
      await access.use(leasing, () => leases.release(name, holder), undefined)
    }
  }

  return {
    take,
    alone,
    async retry() {
      if (access.isFailing(leasing)) await take('store', 1)
    },
  }
}
