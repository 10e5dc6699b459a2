import { request as requestHttp, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

export type ReceivedResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded text; undefined if the body is too large or its content coding is broken. */
  readonly text: string | undefined
  /** Size of the decoded body. */
  readonly bytes: number
  readonly isTooLarge: boolean
  readonly tookMs: number
  /** End of the certificate's validity, in milliseconds since the epoch. */
  readonly certificateUntil: number | undefined
}

export type GetOptions = {
  readonly headers: Readonly<Record<string, string>>
  /** Certificate authorities to trust instead of the default ones. */
  readonly ca?: readonly string[] | undefined
  readonly timeoutMs: number
  readonly maxBodyBytes: number
}

/**
 * Requests a URL on a new connection, like a phone, without following redirects. Reads at most about
 * `maxBodyBytes`. Rejects if there is no complete response within `timeoutMs`.
 */
export async function boundedGet(url: URL, options: GetOptions): Promise<ReceivedResponse> {
  const startedAt = performance.now()
  const signal = AbortSignal.timeout(options.timeoutMs)
  try {
    const response = await send(url, options, signal)
    const { socket, statusCode: status = 0, headers } = response
    const certificateUntil =
      socket instanceof TLSSocket
        ? Date.parse(socket.getPeerCertificate().valid_to) || undefined
        : undefined
    const body = await startOf(response, options.maxBodyBytes)
    const decoded = body && decode(body, headers['content-encoding'], options.maxBodyBytes)
    return {
      status,
      headers,
      text: decoded?.bytes?.toString('utf8'),
      bytes: decoded?.bytes?.length ?? 0,
      isTooLarge: decoded?.isTooLarge ?? true,
      tookMs: performance.now() - startedAt,
      certificateUntil,
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

function send(
  url: URL,
  { headers, ca }: GetOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  request(url, { headers, agent: false, signal, ...(ca && { ca: [...ca] }) })
    .on('response', resolve)
    .on('error', reject)
    .end()
  return promise
}

/** Returns the body; undefined if it is larger than `maxBytes`. */
async function startOf(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    // Leaving the loop closes the connection.
    if (bytes > maxBytes) return undefined
  }
  return Buffer.concat(chunks)
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

function decode(body: Buffer, coding = 'identity', maxOutputLength: number) {
  if (coding === 'identity' || body.length === 0) return { bytes: body, isTooLarge: false }
  try {
    return { bytes: decoders[coding.toLowerCase()]?.(body, { maxOutputLength }), isTooLarge: false }
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    return { bytes: undefined, isTooLarge }
  }
}
