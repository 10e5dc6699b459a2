import { setTimeout } from 'node:timers/promises'
import { connect } from 'node:tls'
import { Agent, request, type FormData } from 'undici'
import { onTestFinished } from 'vitest'
import { waitUntil } from './wait-for.ts'

export type ReverseProxy = AsyncDisposable & {
  readonly url: string
  readonly httpUrl: string
  /** Certificate of the authority that signed the proxy's certificate. */
  readonly ca: string
  readonly log: () => string
  /** Clears the logs, so that a test sees only its own requests. */
  readonly clearLogs: () => void
}

type ClientOptions = {
  readonly http2?: boolean
  /** Loopback address that the client connects from. */
  readonly address?: string
}

/** Returns a function that sends requests to a proxy over TLS, for one test. */
export function clientOf(
  { url, ca }: ReverseProxy,
  { http2 = true, address = '127.0.0.1' }: ClientOptions = {},
) {
  const dispatcher = new Agent({ allowH2: http2, localAddress: address, connect: { ca } })
  onTestFinished(() => dispatcher.destroy())
  return async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    sent?: { readonly method: string; readonly body: string | FormData },
  ) => {
    const response = await request(`${url}${path}`, { dispatcher, headers, ...sent })
    const body = await response.body.text()
    return { status: response.statusCode, headers: response.headers, body }
  }
}

const megabyte = 1024 * 1024

/**
 * Sends a body to a proxy without reading anything before all of it has been sent, like a simple
 * client. Resolves to the time until the connection is closed, in milliseconds.
 */
export async function sendBlindly(
  { url, ca }: ReverseProxy,
  {
    method,
    path,
    megabytes,
  }: Readonly<Record<'method' | 'path', string>> & {
    readonly megabytes: number
  },
): Promise<number> {
  const startedAt = performance.now()
  const { hostname: servername, host, port } = new URL(url)
  const socket = connect({ host: '127.0.0.1', port: Number(port), servername, ca })
  onTestFinished(() => void socket.destroy())
  // The proxy may close the connection before it has received everything.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${megabytes * megabyte}\r\n\r\n`,
  )
  for (let sent = 0; sent < megabytes && !socket.destroyed; sent += 1) {
    const isSent = new Promise((resolve) => socket.write(Buffer.alloc(megabyte), resolve))
    await Promise.race([isSent, closed])
  }
  socket.resume()
  await closed
  return performance.now() - startedAt
}

const crowdSize = 8

/** Without pauses, the crowd would take the CPU time that a restarting service needs. */
const pauseMs = 10

/** Starts clients that repeat `ask` until the test ends. `ask` resolves to the received status codes. */
export function createCrowd(ask: () => Promise<readonly number[]>) {
  const statuses: number[] = []
  const over = new AbortController()
  async function askAllTheTime(): Promise<void> {
    while (!over.signal.aborted) {
      statuses.push(...(await ask()))
      await setTimeout(pauseMs)
    }
  }
  const asking = Promise.allSettled(Array.from({ length: crowdSize }, askAllTheTime))
  async function end() {
    over.abort()
    for (const asked of await asking) if (asked.status === 'rejected') throw asked.reason
  }
  return {
    /** Waits for a number of additional responses. */
    async more(count: number) {
      const enough = statuses.length + count
      await waitUntil(() => statuses.length >= enough)
    },
    /** Stops the clients. Resolves to the status codes of all responses. */
    async statuses() {
      await end()
      return statuses
    },
    async [Symbol.asyncDispose]() {
      over.abort()
      await asking
    },
  }
}
