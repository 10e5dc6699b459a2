/** A dependency cannot be reached. The message is one sentence for people. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}
