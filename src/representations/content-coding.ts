/** HTTP content codings (RFC 9110 8.4.1), best compression first. */
export const contentCodings = ['br', 'gzip', 'identity'] as const

export type ContentCoding = (typeof contentCodings)[number]

/** An encoded response body. */
export type EncodedBody = {
  readonly bytes: Buffer
  readonly length: number
  /** Strong ETag. Equal bytes have the same ETag on every replica. */
  readonly etag: string
  /** True if only its gzip encoding is kept, from which its bytes are decompressed. */
  readonly isInflated?: boolean
}

/** A body's encodings. A coding is present only if its result is smaller than that of the next coding. */
export type Encodings = Readonly<Partial<Record<ContentCoding, EncodedBody>>> & {
  readonly identity: EncodedBody
}
