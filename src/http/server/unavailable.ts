/** Something that an answer needs cannot be reached at present; the message says so in one sentence. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number, cause?: unknown) {
    super(message, { cause })
    this.retryAfterMs = retryAfterMs
  }
}
