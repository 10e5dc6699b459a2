export type StoreErrorKind =
  /** Did not respond; may recover. */
  | 'unreachable'
  /** No space left. */
  | 'full'
  /** Damaged, from a newer version, or access denied. */
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

/** Returns what `work` resolves to, or the fallback on a `StoreError`. */
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
