export type StoreErrorKind =
  /** The store did not respond, but may recover. */
  | 'unreachable'
  /** The store has no space left. */
  | 'full'
  /** The disk with the data directory has no space left. */
  | 'disk full'
  /** The store is damaged, comes from a newer version, or denies access. */
  | 'unusable'

/**
 * Thrown if stored data cannot be read or written. The message is a single sentence without
 * secrets.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** Returns the result of `work`, or the result of `fallback` on a `StoreError`. */
export async function withFallback<T, U>(
  work: () => Promise<T>,
  fallback: (error: StoreError) => U,
): Promise<T | U> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return fallback(error)
  }
}
