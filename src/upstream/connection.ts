import { createHash } from 'node:crypto'
import { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import { BodyTooLarge, exchange, type Received } from '../outgoing/exchange.ts'
import { parsedJson } from '../json.ts'
import { hasManyProperties } from '../outgoing/json-counts.ts'
import { propertyOf } from '../records/named-properties.ts'
import { limitedConnector } from '../outgoing/limited-connector.ts'
import { decodedBody } from './charset.ts'
import { createClients } from './clients.ts'
import { connectionFaultFrom, firstRecordIdIn } from './connection-fault.ts'
import { pageTitleFrom } from './remote-message.ts'
import {
  retryAfterMs,
  serviceErrorCodes,
  UpstreamError,
  type UpstreamErrorKind,
} from './upstream-error.ts'

const keepAliveMs = 60_000

export const defaultLimits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  requestTimeoutMs: 120_000,
  /** Time for a token request after the signal has aborted. */
  tokenRequestGraceMs: 5_000,
  maxBodyBytes: 8 * 1024 * 1024,
  /** Maximum size of a response on the wire, including headers, chunk sizes and extensions. */
  maxResponseBytes: 16 * 1024 * 1024,
  /** Objects and lists. Many small ones take a hundred times as much memory as their text. */
  maxThings: 400_000,
  /** Properties of all objects, and a quarter of the values in lists. Different ones are slow to parse. */
  maxProperties: 100_000,
}

/** A response with any status. `body` is undefined if it is not JSON. */
export type UpstreamResponse = {
  readonly status: number
  /** If `isKnown` is true, the body is parsed each time this property is read. */
  readonly body: unknown
  readonly bodyBytes?: number
  /** Equal for bodies that differ only in the time at which they were generated. */
  readonly bodyHash?: string | undefined
  /** That time, if it can be found without parsing the body. */
  readonly generated?: string | undefined
  /** True if the body has the call's `knownHash`. */
  readonly isKnown?: boolean
  readonly retryAfterMs: number | undefined
  /** Title of a web page, or an empty string if the page has none. */
  readonly pageTitle?: string | undefined
  /** Redirect target. Redirects are not followed, since they could leak the token. */
  readonly location?: string | undefined
}

export type Call = {
  readonly method: 'GET' | 'POST'
  /** Path and query on the site. */
  readonly path: string
  readonly token: string
  /** Hash of an earlier body. A body with the same hash is not parsed until it is read. */
  readonly knownHash?: string | undefined
}

export type Transport = { readonly request: (call: Call) => Promise<UpstreamResponse> }

export type ConnectionOptions = {
  /** Origin of the site, https only. */
  readonly siteUrl: string
  /** A certificate authority to trust in addition to Node's built-in ones. */
  readonly caPem?: string | undefined
  readonly now: () => number
  readonly signal?: AbortSignal
  readonly limits?: Partial<typeof defaultLimits>
}

/** Creates the HTTPS connection to the data service. Requests reject only with an `UpstreamError`. */
export function createConnection(options: ConnectionOptions): Transport & AsyncDisposable {
  const { siteUrl, caPem, now } = options
  const limits = { ...defaultLimits, ...options.limits }
  const { signal } = options
  const graceOver = new AbortController()
  signal?.addEventListener(
    'abort',
    () => setTimeout(() => graceOver.abort(), limits.tokenRequestGraceMs).unref(),
    { once: true },
  )
  const clients = createClients(siteUrl, {
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    connect: abortableConnector(
      limitedConnector(
        { allowH2: false, timeout: limits.connectTimeoutMs, caPem },
        limits.maxResponseBytes,
      ),
      signal,
    ),
  })

  async function receive({ method, path, token }: Call, client: Dispatcher): Promise<Received> {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const { received, abort } = exchange(client, { method, path, headers }, limits)
    // The timer of `AbortSignal.timeout` would also expire, and create an error, after the response.
    const timer = setTimeout(() => abort(timeoutError()), limits.requestTimeoutMs)
    const end = () => abort(new Error('aborted'))
    // Without a response, a token request counts as failed, and the next one waits for minutes.
    const ending = method === 'POST' ? graceOver.signal : signal
    ending?.addEventListener('abort', end)
    try {
      return await received
    } finally {
      clearTimeout(timer)
      ending?.removeEventListener('abort', end)
    }
  }

  async function request(call: Call): Promise<UpstreamResponse> {
    try {
      if (signal?.aborted) throw aborted()
      const received = await clients.use((client) => receive(call, client))
      return responseFrom(received, {
        knownHash: call.knownHash,
        now,
        maxProperties: limits.maxProperties,
      })
    } catch (error) {
      const { kind, code, reason } = connectionFaultFrom(error)
      const detail = (kind === 'unreachable' || kind === 'tls') && code !== '' ? ` (${code})` : ''
      const what = reason === 'no TLS' ? 'the server does not use https' : sentences[kind]
      const message = `${call.method} ${siteUrl}${call.path}: ${what}${detail}`
      const recordId = error instanceof BodyTooLarge ? firstRecordIdIn(error) : undefined
      throw new UpstreamError(kind, message, { cause: error, reason, recordId })
    }
  }

  return { request, [Symbol.asyncDispose]: () => clients[Symbol.asyncDispose]() }
}

function responseFrom(
  { status, headers, bytes }: Received,
  options: Pick<Call, 'knownHash'> & Pick<ConnectionOptions, 'now'> & { maxProperties: number },
): UpstreamResponse {
  const { knownHash, now, maxProperties } = options
  const header = (name: string) => [headers[name]].flat()[0]
  const type = header('content-type') ?? ''
  const { bodyHash, generated } = hashOf(bytes, type)
  const known = { status, bodyBytes: bytes.length, bodyHash, generated }
  if (status === 200 && bodyHash === knownHash) return knownResponse(known, bytes, type)
  if (hasManyProperties(bytes, maxProperties)) throw new BodyTooLarge(bytes)
  const text = decodedBody(bytes, type)
  const body = parsedJson(text)
  const isPage = body === undefined && text !== ''
  return {
    ...known,
    body,
    retryAfterMs: retryAfterMs(header('retry-after'), now()),
    pageTitle: isPage ? pageTitleFrom(type, text) : undefined,
    location: header('location'),
  }
}

function knownResponse(
  received: Omit<UpstreamResponse, 'body' | 'retryAfterMs'>,
  bytes: Uint8Array,
  type: string,
): UpstreamResponse {
  return {
    ...received,
    isKnown: true,
    get body() {
      return parsedJson(decodedBody(bytes, type))
    },
    retryAfterMs: undefined,
  }
}

/**
 * Returns a connector whose pending attempts end when the signal aborts. A request's own signal
 * does not do that. The signal is not passed to the sockets, because it would keep every socket in
 * memory.
 */
function abortableConnector(
  connector: buildConnector.connector,
  signal: AbortSignal | undefined,
): buildConnector.connector {
  const pending = new Set<Socket>()
  const latest: { session?: Buffer } = {}
  const abort = () => {
    for (const socket of pending) socket.destroy(aborted())
  }
  signal?.addEventListener('abort', abort, { once: true })
  return (options, callback) => {
    const socket: unknown = connector(options, (...result) => {
      if (socket instanceof Socket) pending.delete(socket)
      callback(...result)
    })
    if (!(socket instanceof Socket)) return
    pending.add(socket)
    // undici resumes TLS sessions, but keeps only weak references to them.
    socket.on('session', (session: Buffer) => void (latest.session = session))
    if (signal?.aborted) abort()
  }
}

/** Returns an error for a call that was never sent. */
function aborted(): Error {
  return Object.assign(new Error('aborted'), { syscall: 'connect' })
}

/** Returns the service's error code in a response, if it is a known one. */
export function errorCodeIn({ body }: UpstreamResponse): string | undefined {
  const code = propertyOf(body, 'code')
  return serviceErrorCodes.find((known) => known === code)
}

/** Counts the calls of a connection by outcome, which is `ok` or an error code. */
export function countedConnection(
  connection: Transport,
): Transport & { readonly counts: () => ReadonlyMap<string, number> } {
  const counts = new Map<string, number>()
  const count = (code: string) => void counts.set(code, (counts.get(code) ?? 0) + 1)
  return {
    counts: () => counts,
    async request(call) {
      try {
        const response = await connection.request(call)
        const isPage =
          response.isKnown === true || (response.status === 200 && response.body !== undefined)
        count(isPage ? 'ok' : (errorCodeIn(response) ?? 'unexpected_answer'))
        return response
      } catch (error) {
        count(error instanceof UpstreamError ? error.kind : 'interrupted')
        throw error
      }
    },
  }
}

const timeoutError = () => new DOMException('The request took too long', 'TimeoutError')

/**
 * Applies to bytes, since this is ASCII in every charset that websites use for JSON. Anything longer than
 * a time counts as content, as does an empty string, which would look like a missing time.
 */
const generatedPattern = /"generated"[\t\n\r ]*:[\t\n\r ]*"([ !#-[\]-~]{1,100})"/i

/** Most websites send the time in the first bytes of a body. */
const usualStart = 1024

/** Hashes a body without the time at which it was generated. */
function hashOf(bytes: Buffer, type: string) {
  const textTo = (end?: number) => bytes.toString('latin1', 0, end)
  const found = generatedPattern.exec(textTo(usualStart)) ?? generatedPattern.exec(textTo())
  const [property = '', generated] = found ?? []
  const start = found?.index ?? 0
  const hash = createHash('sha256').update(`${type}\n`).update(bytes.subarray(0, start))
  const bodyHash = hash.update(bytes.subarray(start + property.length)).digest('base64url')
  return { bodyHash, generated }
}

const sentences = {
  unreachable: 'the site cannot be reached',
  interrupted: 'the connection was interrupted',
  tls: "the site's certificate is not trusted",
  timeout: 'the site did not respond in time',
  body_too_large: 'the response is too large',
} satisfies Partial<Record<UpstreamErrorKind, string>>
