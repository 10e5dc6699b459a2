import { getCACertificates } from 'node:tls'
import { Agent } from 'undici'
import { retryAfterMs } from './retry-after.ts'
import { UpstreamError, type UpstreamErrorKind } from './upstream-error.ts'

const connectTimeoutMs = 10_000
const headersTimeoutMs = 30_000
const bodyTimeoutMs = 30_000
const requestTimeoutMs = 120_000
const keepAliveMs = 60_000
const maxConnections = 2
const maxBodyBytes = 32 * 1024 * 1024

/** What came back, whatever its status. `body` is undefined when it was not JSON. */
export type Answer = {
  readonly status: number
  readonly body: unknown
  readonly retryAfterMs: number | undefined
}

export type Call = {
  readonly method: 'GET' | 'POST'
  /** Path and query on the site. */
  readonly path: string
  readonly token: string
}

export type Connection = AsyncDisposable & {
  readonly request: (call: Call) => Promise<Answer>
}

export type ConnectionOptions = {
  /** Origin of the site, https. */
  readonly siteUrl: string
  /** An extra certificate authority, beside those Node trusts. */
  readonly caPem?: string | undefined
  readonly now: () => number
  /** Ends every request under way. */
  readonly signal?: AbortSignal
  readonly limits?: Partial<typeof defaultLimits>
}

const defaultLimits = {
  connectTimeoutMs,
  headersTimeoutMs,
  bodyTimeoutMs,
  requestTimeoutMs,
  maxBodyBytes,
}

/** The HTTPS connection to the data service. Its requests reject with an `UpstreamError` alone. */
export function createConnection(options: ConnectionOptions): Connection {
  const { siteUrl, caPem, now } = options
  const limits = { ...defaultLimits, ...options.limits }
  const agent = new Agent({
    allowH2: false,
    connections: maxConnections,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: limits.headersTimeoutMs,
    bodyTimeout: limits.bodyTimeoutMs,
    maxResponseSize: limits.maxBodyBytes,
    connect: {
      timeout: limits.connectTimeoutMs,
      // The signal of a request does not end a connection that is still being made.
      ...(options.signal ? { signal: options.signal } : {}),
      ...(caPem === undefined ? {} : { ca: [...getCACertificates('default'), caPem] }),
    },
  })

  async function request({ method, path, token }: Call): Promise<Answer> {
    const deadline = AbortSignal.timeout(limits.requestTimeoutMs)
    try {
      const response = await agent.request({
        origin: siteUrl,
        method,
        path,
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        signal: options.signal ? AbortSignal.any([options.signal, deadline]) : deadline,
      })
      const retryAfter = response.headers['retry-after']
      return {
        status: response.statusCode,
        body: jsonFrom(await response.body.text()),
        retryAfterMs: retryAfterMs(Array.isArray(retryAfter) ? retryAfter[0] : retryAfter, now()),
      }
    } catch (error) {
      const kind = kindOf(error)
      const reason = kind === 'unreachable' ? ` (${codeOf(error)})` : ''
      throw new UpstreamError(kind, `${method} ${siteUrl}${path}: ${sentences[kind]}${reason}`, {
        cause: error,
      })
    }
  }

  return { request, [Symbol.asyncDispose]: () => agent.destroy() }
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const sentences = {
  unreachable: 'the site cannot be reached',
  interrupted: 'the connection broke',
  tls: 'the certificate of the site is not trusted',
  timeout: 'the site did not answer in time',
  body_too_large: 'the answer is too large',
} satisfies Partial<Record<UpstreamErrorKind, string>>

function kindOf(error: unknown): keyof typeof sentences {
  const code = codeOf(error)
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'body_too_large'
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  if (isOfConnecting(error, code)) return 'unreachable'
  if (/^UND_ERR_\w+_TIMEOUT$|^ETIMEDOUT$/.test(code)) return 'timeout'
  if (/CERT|SELF_SIGNED|^UNABLE_TO_|^ERR_(TLS|SSL)_|^EPROTO$/.test(code)) return 'tls'
  return 'interrupted'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Whether there was no connection yet: looking up the name, or connecting, failed. */
function isOfConnecting(error: unknown, code: string): boolean {
  const syscall = error instanceof Error && 'syscall' in error ? error.syscall : undefined
  return code === 'UND_ERR_CONNECT_TIMEOUT' || syscall === 'connect' || syscall === 'getaddrinfo'
}
