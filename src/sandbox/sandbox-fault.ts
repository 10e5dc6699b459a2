/** Problem with the data directory, dataset or projects that prevents the sandbox from running. */
export class SandboxFault extends Error {
  override readonly name = 'SandboxFault'
  readonly sentences: readonly string[]

  constructor(sentences: readonly string[], options?: ErrorOptions) {
    super(sentences.join('\n'), options)
    this.sentences = sentences
  }
}
