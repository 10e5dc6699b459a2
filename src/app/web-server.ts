import type { RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { ServerConfig } from '../config/config.ts'
import {
  createInFlightResponses,
  type InFlightResponses,
} from '../http/server/in-flight-responses.ts'
import { createRejections, type Rejections } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import type { Logger } from '../log.ts'

/** Where a process listens, for one site or several. Disposing stops, and answers whoever asked. */
export type WebServer = AsyncDisposable & {
  /** Where it listens. */
  readonly url: string
  readonly inFlight: InFlightResponses
  readonly rejections: Rejections
  readonly isStopping: () => boolean
  /** Says at `/readyz` that it stops, and goes on until it is disposed. */
  readonly drain: () => void
  /** From now on requests are answered, until disposed. */
  readonly answer: (listener: RequestListener) => AsyncDisposable
}

/** Listens; until there is something to answer by, with 503. Rejects when the port cannot be had. */
export async function openWebServer(
  { host, port }: Pick<ServerConfig, 'host' | 'port'>,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): Promise<WebServer> {
  await using opening = new AsyncDisposableStack()
  const server = opening.use(await listen(host, port))
  const rejections = createRejections(clock, log)
  const inFlight = createInFlightResponses(clock, rejections)
  const stopping = new AbortController()
  const watching = inFlight.watch(stopping.signal)
  opening.defer(() => {
    stopping.abort()
    return watching
  })
  let isStopping = false
  const opened = opening.move()
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    ...{ inFlight, rejections },
    isStopping: () => isStopping,
    drain() {
      isStopping = true
    },
    answer: (listener) => server.answer(listener, { inFlight, rejections }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
