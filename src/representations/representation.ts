import { createHash } from 'node:crypto'
import { contentTypes, type FeedFormat } from '../feeds/feed.ts'

/** The bytes of one feed in one format (RFC 9110 3.2), ready to be answered. */
export type Representation = {
  readonly body: Buffer
  readonly contentType: string
  /** Strong: the same bytes have the same tag everywhere. */
  readonly etag: string
  /** Milliseconds since the epoch. */
  readonly lastModified: number
}

export function representationOf(
  body: Buffer,
  format: FeedFormat,
  lastModified: number,
): Representation {
  const digest = createHash('sha256').update(body).digest('base64url')
  return { body, contentType: contentTypes[format], etag: `"${digest}"`, lastModified }
}
