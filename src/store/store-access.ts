import type { Logger } from '../log.ts'
import { StoreError } from './store-error.ts'

/** The use of a store that may be out of order; what fails is told once, and when it works again. */
export type StoreAccess = {
  /** What the work brings, or the other when the store cannot be used for it. */
  readonly use: <T, U>(what: string, work: () => Promise<T>, otherwise: U) => Promise<T | U>
  readonly isFailing: (what: string) => boolean
  /** It is not needed any more. */
  readonly forget: (what: string) => void
  /** Why the store cannot be used, for whatever it was wanted last. */
  readonly failure: () => StoreError | undefined
}

export function createStoreAccess(log: Logger): StoreAccess {
  const failures = new Map<string, StoreError>()
  return {
    async use(what, work, otherwise) {
      try {
        const result = await work()
        if (failures.delete(what)) log.info({ what }, 'the store can be used again')
        return result
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        const { kind, message: reason } = error
        if (!failures.has(what)) log.error({ what, kind, reason }, 'the store cannot be used')
        failures.set(what, error)
        return otherwise
      }
    },
    isFailing: (what) => failures.has(what),
    forget: (what) => void failures.delete(what),
    failure: () => failures.values().next().value,
  }
}
