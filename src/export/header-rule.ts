export type Header = readonly [name: string, value: string]

/** Headers for a single path, or for all paths under a directory if `isBelow` is true. */
export type HeaderRule = {
  readonly path: string
  readonly isBelow: boolean
  /** Content types by file extension, including the dot. */
  readonly types: ReadonlyMap<string, string>
  readonly file: string
  /** Other headers, which are the same for all files. */
  readonly headers: readonly Header[]
}
