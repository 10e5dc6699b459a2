import { EventEmitter } from 'node:events'
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
  const response = new EventEmitter().once('newListener', () => {
    // Tests on a fake clock wait only for promises, not for timers or I/O.
    queueMicrotask(() => {
      response.emit('data', bytes)
      for (const event of ['end', 'close']) response.emit(event)
    })
  })
  return Object.assign(response, {
    statusCode,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    destroy: () => undefined,
    resume: () => undefined,
  }) as unknown as IncomingMessage
}
