import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { maxHeaderSize, request as requestHttp } from '../node-http.ts'
import type { Validity } from '../records/validity.ts'
import { certificateFrom } from '../upstream/certificate.ts'
import { maxChunks } from '../outgoing/exchange.ts'
import { countStarts, hasManyProperties } from '../outgoing/json-counts.ts'
import { connectionFaultFrom } from '../upstream/connection-fault.ts'
import { english } from './messages/en.ts'

export type ReceivedResponse = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decoded text, or undefined if the body is too large or its content coding is broken. */
  readonly text: string | undefined
  readonly bytes: number
  readonly isTooLarge: boolean
  readonly tookMs: number
  readonly certificate: Validity | undefined
}

export type GetOptions = {
  readonly headers: Readonly<Record<string, string>>
  /** Certificate authorities to trust instead of the default ones. */
  readonly ca?: readonly string[] | undefined
  readonly timeoutMs: number
  readonly maxBodyBytes: number
  /** Maximum number of objects and lists in JSON, because parsing deeply nested ones is slow. */
  readonly maxThings?: number
  /** Maximum number of properties in JSON, because parsing many different ones is slow. */
  readonly maxProperties?: number
  /** Closes the connection, so that the request rejects. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Requests a URL on a new connection, like a phone, without following redirects. Reads at most about
 * `maxBodyBytes`. Rejects if there is no complete response within `timeoutMs`.
 */
export async function boundedGet(url: URL, options: GetOptions): Promise<ReceivedResponse> {
  const startedAt = performance.now()
  const limit = AbortSignal.timeout(options.timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
  try {
    const response = await send(url, options, signal)
    const { socket, statusCode: status = 0, headers } = response
    const certificate = socket instanceof TLSSocket ? certificateFrom(socket) : undefined
    const body = await startOf(response, options.maxBodyBytes)
    const decoded =
      body &&
      withFewThings(decode(body, headers['content-encoding'], options.maxBodyBytes), options)
    return {
      status,
      headers,
      text: decoded?.bytes?.toString('utf8'),
      bytes: decoded?.bytes?.length ?? 0,
      isTooLarge: decoded?.isTooLarge ?? true,
      tookMs: performance.now() - startedAt,
      certificate,
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

/** Returns true if a redirect goes from http to https on the same host. */
export function isUpgrade(url: URL, target: URL): boolean {
  return (
    url.protocol === 'http:' && target.protocol === 'https:' && target.hostname === url.hostname
  )
}

/**
 * Returns the media type of a response without parameters, in lower case, or an empty string if
 * there is none.
 */
export function mediaTypeOf({ headers }: ReceivedResponse): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  return type.trim().toLowerCase()
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
    // Node closes the connection without an error after a response with status 101.
    .on('close', () => reject(new Error('no response')))
    .end()
  return promise
}

/** Resolves to undefined if a body is too large, or is sent in too many chunks. */
function startOf(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
  const { socket } = response
  const chunks: Buffer[] = []
  let bytes = 0
  response
    .on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      // Extensions of chunks stay in memory.
      const isTooLarge = bytes > maxBytes || socket.bytesRead > 2 * maxBytes + maxHeaderSize
      if (!isTooLarge && chunks.length <= maxChunks) return
      resolve(undefined)
      response.destroy()
    })
    .on('end', () => resolve(Buffer.concat(chunks)))
    .on('error', reject)
  return promise
}

const decoders: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** A body, or undefined if it is too large or cannot be decoded. */
type Decoded = { readonly bytes: Buffer | undefined; readonly isTooLarge: boolean }

function decode(body: Buffer, coding = 'identity', maxOutputLength: number): Decoded {
  if (coding === 'identity' || body.length === 0) return { bytes: body, isTooLarge: false }
  try {
    return { bytes: decoders[coding.toLowerCase()]?.(body, { maxOutputLength }), isTooLarge: false }
  } catch (error) {
    return { bytes: undefined, isTooLarge: error instanceof RangeError }
  }
}

function withFewThings(decoded: Decoded, options: GetOptions): Decoded {
  const { maxThings = Infinity, maxProperties = Infinity } = options
  const { bytes = Buffer.alloc(0) } = decoded
  const isTooLarge =
    (maxThings < Infinity && countStarts(bytes, maxThings) > maxThings) ||
    (maxProperties < Infinity && hasManyProperties(bytes, maxProperties))
  return isTooLarge ? { bytes: undefined, isTooLarge } : decoded
}

/** Explains why a request to this URL failed. `name` is the reader's term for the URL. */
export function connectionSentence(error: unknown, url: string, name: string, t = english): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const { reason, code, kind } = connectionFaultFrom(cause)
  const known = reason ?? (kind === 'timeout' ? 'no answer' : undefined)
  return t.unreachable(url, code, known === undefined ? t.interrupted : t.reasons(name)[known])
}
