/** A parameter of a feed's address has a value that cannot be; the message says so in one sentence. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}
