import { setTimeout } from 'node:timers/promises'
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
