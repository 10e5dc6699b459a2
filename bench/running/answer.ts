import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'

export type Answer = {
  readonly status: number
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[]
  readonly etag: string
  readonly coding: string
  /** As sent. */
  readonly body: Buffer
  readonly decoded: Buffer
  /** With its head. */
  readonly wireBytes: number
  readonly ms: number
}

const timeoutMs = 10_000

/** A GET over a connection of its own, as one that is kept is answered. */
export async function answerOf(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(timeoutMs)
  const asking = request(url, {
    agent: false,
    signal,
    headers: { ...headers, Connection: 'keep-alive' },
  }).end()
  const [response] = (await once(asking, 'response', { signal })) as [IncomingMessage]
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
