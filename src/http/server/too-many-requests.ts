import type { Rejection } from './rejections.ts'

type Excess = Extract<Rejection, 'too many variants' | 'too many guesses' | 'too many sign-ins'>

const sentences: Readonly<Record<Excess, string>> = {
  'too many variants': 'Too many different feeds were requested at once. Please try again shortly.',
  'too many guesses': 'Too many unknown addresses were requested. Please try again later.',
  'too many sign-ins': 'Too many incorrect passwords. Please try again in a minute.',
}

/** A client exceeded a rate limit. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests'
  readonly refusal: Excess
  readonly retryAfterMs: number

  constructor(refusal: Excess, retryAfterMs: number) {
    super(sentences[refusal])
    this.refusal = refusal
    this.retryAfterMs = retryAfterMs
  }
}
