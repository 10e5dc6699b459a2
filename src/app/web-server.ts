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

/** The process's HTTP server. Disposing the server waits for in-flight requests. */
export type WebServer = AsyncDisposable & {
  /** URL that the server listens on. */
  readonly url: string
  readonly inFlight: InFlightResponses
  readonly rejections: Rejections
  readonly isStopping: () => boolean
  /** Makes `/readyz` report that the service is stopping. Requests are served until disposal. */
  readonly drain: () => void
  /** Serves requests with this listener until disposed. */
  readonly answer: (listener: RequestListener) => AsyncDisposable
}

/** Starts listening and responds with 503 until `answer` is called. Rejects if the port is in use. */
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
    inFlight,
    rejections,
    isStopping: () => isStopping,
    drain() {
      isStopping = true
    },
    answer: (listener) => server.answer(listener, { inFlight, rejections }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
