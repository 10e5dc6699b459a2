import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import {
  markFromFront,
  setCacheFields,
  type CacheFields,
} from '../../../src/http/front/cache-fields.ts'

/** Returns the header field with which a worker lets the front keep a response. */
export function cacheFieldsOf(fields: Partial<CacheFields>): IncomingMessage['headers'] {
  const request = new IncomingMessage(new Socket())
  markFromFront(request)
  const response = new ServerResponse(request)
  setCacheFields(response, {
    site: 'main',
    representation: 'news',
    tags: [],
    use: '',
    maxAgeMs: 300_000,
    staleWhileRevalidateMs: 60_000,
    staleIfErrorMs: 600_000,
    ...fields,
  })
  return response.getHeaders() as IncomingMessage['headers']
}

/** Creates a response from a worker with a strong ETag, in gzip encoding. */
export function workerResponse(
  statusCode: number,
  { body, etag }: { readonly body: string; readonly etag: string },
  more: object,
): IncomingMessage {
  const bytes = Buffer.from(body)
  const headers = {
    etag: `"${etag}-gzip"`,
    'content-encoding': 'gzip',
    'content-length': String(bytes.length),
    ...more,
  }
  return {
    statusCode,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    async *[Symbol.asyncIterator]() {
      yield bytes
    },
    destroy: () => undefined,
    resume: () => undefined,
  } as unknown as IncomingMessage
}
