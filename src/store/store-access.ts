import type { Logger } from '../log.ts'
import { withFallback, type StoreError } from './store-error.ts'

/** Access to a store that may be down. Logs the first failure and the recovery. */
export type StoreAccess = {
  /** Returns the result of `work`, or `otherwise` on a `StoreError`. */
  readonly use: <T, U>(what: string, work: () => Promise<T>, otherwise: U) => Promise<T | U>
  readonly isFailing: (what: string) => boolean
  /** Drops the failure state for data that is no longer needed. */
  readonly forget: (what: string) => void
  /** Returns the latest store failure. */
  readonly failure: () => StoreError | undefined
}

export function createStoreAccess(log: Logger): StoreAccess {
  const failures = new Map<string, StoreError>()
  return {
    use: (what, work, otherwise) =>
      withFallback(
        async () => {
          const result = await work()
          if (failures.delete(what)) log.info({ what }, 'the store works again')
          return result
        },
        (error) => {
          const { kind, message: reason } = error
          if (!failures.has(what)) log.error({ what, kind, reason }, 'the store cannot be used')
          failures.set(what, error)
          return otherwise
        },
      ),
    isFailing: (what) => failures.has(what),
    forget: (what) => void failures.delete(what),
    failure: () => failures.values().next().value,
  }
}
