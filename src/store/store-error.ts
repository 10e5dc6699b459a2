import type { Logger } from '../log.ts'

export type StoreErrorKind =
  /** The store did not respond, but may recover. */
  | 'unreachable'
  /** The store has no space left. */
  | 'full'
  /** The disk with the data directory has no space left. */
  | 'disk full'
  /** Another host serves the site. */
  | 'owned'
  /** The store is damaged, comes from a newer version, or denies access. */
  | 'unusable'

/** Thrown if the store fails. The message is a single sentence without secrets. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Returns the result of `work`, or the result of `fallback` (by default, undefined) on a `StoreError`. */
export async function withFallback<T, U = undefined>(
  work: () => Promise<T>,
  fallback: (error: StoreError) => U = () => undefined as U,
): Promise<T | U> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return fallback(error)
  }
}

export type StoreAccess = {
  /** Returns the result of `work`, or `otherwise` on a `StoreError`. */
  readonly use: <T, U>(what: string, work: () => Promise<T>, otherwise: U) => Promise<T | U>
  readonly isFailing: (what: string) => boolean
  /** Drops the failure state for data that is no longer needed. */
  readonly forget: (what: string) => void
  readonly failure: () => StoreError | undefined
}

/** Wraps calls to a store that may be down. Logs the first failure and the recovery. */
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
