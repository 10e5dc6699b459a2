import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export type TimedResponse = {
  readonly status: number
  /** Header names and values, alternating, as received. */
  readonly rawHeaders: readonly string[]
  readonly etag: string
  readonly coding: string
  /** Body as received. */
  readonly body: Buffer
  readonly decoded: Buffer
  /** Size in bytes, including the status line and headers. */
  readonly wireBytes: number
  readonly ms: number
}

const timeoutMs = 10_000

/** Sends a GET request over a new keep-alive connection. */
export async function fetchResponse(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<TimedResponse> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(timeoutMs)
  const pending = request(url, {
    agent: false,
    signal,
    headers: { ...headers, Connection: 'keep-alive' },
  }).end()
  const [response] = (await once(pending, 'response', { signal })) as [IncomingMessage]
  const { socket, rawHeaders, statusCode: status = 0 } = response
  const body = await buffer(response)
  const coding = response.headers['content-encoding'] ?? 'identity'
  return {
    status,
    rawHeaders,
    coding,
    body,
    wireBytes: socket.bytesRead,
    etag: response.headers.etag ?? '',
    decoded: coding === 'gzip' && body.length > 0 ? gunzipSync(body) : body,
    ms: performance.now() - startedAt,
  }
}
