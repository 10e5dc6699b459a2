import {
  contentCodings,
  type ContentCoding,
  type EncodedBody,
} from '../../representations/content-coding.ts'
import { inflatedBody } from '../../representations/encoded-body.ts'
import type { PublishedResponse } from './prepared-response.ts'
import { isKeyOf, type SentResponse } from './protocol.ts'

/** Remembers which bodies the front has, so that each is sent once. */
export function createSentResponses() {
  const sent = new Map<string, PublishedResponse['encodings']>()
  return {
    /** Returns the response to send, without the bodies that were sent for the key before. */
    remember(key: string, response: PublishedResponse): SentResponse {
      const before = sent.get(key)
      sent.set(key, response.encodings)
      return sentResponse(response, before)
    },
    forget: (key: string) => void sent.delete(key),
    forgetSite(site: string): void {
      for (const key of sent.keys()) if (isKeyOf(site, key)) sent.delete(key)
    },
  }
}

/** Returns the response as plain data, without bodies that are inflated or that were sent before. */
export function sentResponse(
  response: PublishedResponse,
  before?: PublishedResponse['encodings'],
): SentResponse {
  const encodings = contentCodings.flatMap((coding) => {
    const body = response.encodings[coding]
    if (!body) return []
    const { etag, length, isInflated = false } = body
    const isOmitted = isInflated || body === before?.[coding]
    return [{ coding, etag, length, isInflated, ...(isOmitted ? {} : { bytes: body.bytes }) }]
  })
  return { ...response, encodings }
}

/** Returns the complete response; takes omitted bodies from the one before. */
export function receivedResponse(
  { encodings, ...rest }: SentResponse,
  before: PublishedResponse | undefined,
): PublishedResponse | undefined {
  const bodies: Partial<Record<ContentCoding, EncodedBody>> = {}
  // The gzip encoding comes before the body that is inflated from it.
  for (const { coding, etag, length, isInflated, bytes } of encodings) {
    const kept = bytes ? { etag, length, bytes: bufferOf(bytes) } : before?.encodings[coding]
    const body = isInflated && bodies.gzip ? inflatedBody(bodies.gzip, { etag, length }) : kept
    if (body) bodies[coding] = body
  }
  const { identity, ...others } = bodies
  return identity && { ...rest, encodings: { identity, ...others } }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
