import type { IncomingMessage } from 'node:http'

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
