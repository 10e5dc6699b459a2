import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { TimeSource } from '../clock.ts'
import { withFallback } from '../store/store-error.ts'
import type { Leases } from '../store/store.ts'
import { ExportError } from './export-directory.ts'

/** Time until a killed process's lease expires. */
const leaseMs = 60_000

/** Creates a lease that lets only one process at a time export into a directory. */
export function createExportLease(directory: string, leases: Leases, clock: TimeSource) {
  const holder = randomUUID()
  // Replicas on different hosts share the store, but not their directories.
  const place = createHash('sha256').update(`${hostname()} ${directory}`).digest('base64url')
  const name = `export ${place}`
  let takenAt = -Infinity
  return {
    /** Acquires or renews the lease. Rejects if another process holds it. */
    async hold(): Promise<void> {
      if (clock.now() < takenAt + leaseMs / 2) return
      // While the store is down, other processes cannot be detected.
      const isOurs = (await withFallback(() => leases.take(name, holder, leaseMs))) ?? true
      if (!isOurs) {
        throw new ExportError(`Another export is writing to ${directory}.`)
      }
      takenAt = clock.now()
    },
    async release(): Promise<void> {
      takenAt = -Infinity
      await withFallback(() => leases.release(name, holder))
    },
  }
}
