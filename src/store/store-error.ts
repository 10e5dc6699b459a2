export type StoreErrorKind =
  /** No response; may recover. */
  | 'unreachable'
  /** No room to write. */
  | 'full'
  /** Damaged, from a newer version, or access denied. */
  | 'unusable'

/** Stored data cannot be read or written. The message is one plain sentence without secrets. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
