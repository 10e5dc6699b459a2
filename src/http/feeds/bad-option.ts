/** A query parameter is invalid. The message is one sentence for people. */
export class BadOption extends Error {
  override readonly name = 'BadOption'
}
