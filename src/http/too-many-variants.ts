/** Somebody has had more feeds with options made than one client may in so short a time. */
export class TooManyVariants extends Error {
  override readonly name = 'TooManyVariants'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number) {
    super('Too many different feeds were asked for at once. Please try again shortly.')
    this.retryAfterMs = retryAfterMs
  }
}
