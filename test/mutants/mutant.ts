/** Small mutation of the code that the tests must detect. */
export type Mutant = {
  readonly name: string
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly text: string
  readonly replacement: string
  /**
   * Test files that run first, because they should detect the mutation. By default, the test of the
   * file.
   */
  readonly tests?: readonly string[]
}
