/** Thrown if an export fails. The message is one or more sentences for users. */
export class ExportError extends Error {
  override readonly name = 'ExportError'
  readonly kind:
    'directory' | 'foreign file' | 'no copy' | 'not answered' | 'not written' | 'under way'

  constructor(kind: ExportError['kind'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}
