/** A fault that a person must fix before the sandbox can run: data directory, dataset or projects. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault'
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[], options?: ErrorOptions) {
    super(sentences.join('\n'), options)
    this.sentences = sentences
  }
}
