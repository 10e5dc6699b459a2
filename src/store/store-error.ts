export type StoreErrorKind =
  /** It does not answer; it may later. */
  | 'unreachable'
  /** No room for what is to be written. */
  | 'full'
  /** It is there and cannot be used: damaged, of a newer version, not allowed. */
  | 'unusable'

/** What lasts cannot be read or written. The message is one plain sentence without secrets. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
  readonly kind: StoreErrorKind

  constructor(kind: StoreErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
