import {
  contentCodings,
  type ContentCoding,
  type EncodedBody,
} from '../../representations/content-coding.ts'
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
      const encodings = contentCodings.flatMap((coding) => {
        const body = response.encodings[coding]
        if (!body) return []
        const { etag, bytes } = body
        return [body === before?.[coding] ? { coding, etag } : { coding, etag, bytes }]
      })
      return { ...response, encodings }
    },
    forget: (key: string) => void sent.delete(key),
    forgetSite(site: string): void {
      for (const key of sent.keys()) if (isKeyOf(site, key)) sent.delete(key)
    },
  }
}

/** Returns the complete response; takes omitted bodies from the one before. */
export function receivedResponse(
  { encodings, ...rest }: SentResponse,
  before: PublishedResponse | undefined,
): PublishedResponse | undefined {
  const bodies: Partial<Record<ContentCoding, EncodedBody>> = {}
  for (const { coding, etag, bytes } of encodings) {
    const body = bytes ? { etag, bytes: bufferOf(bytes) } : before?.encodings[coding]
    if (body) bodies[coding] = body
  }
  const { identity, ...others } = bodies
  return identity && { ...rest, encodings: { identity, ...others } }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length)
}
