import type { RequestListener } from 'node:http'
import type { Clock } from '../clock.ts'
import type { ServerConfig } from '../config/config.ts'
import { createOpenAnswers, type OpenAnswers } from '../http/server/in-flight-responses.ts'
import { createRefusals, type Refusals } from '../http/server/rejections.ts'
import { listen } from '../http/server/server.ts'
import type { Logger } from '../log.ts'

/** Where a process listens, for one site or several. Disposing stops, and answers whoever asked. */
export type WebServer = AsyncDisposable & {
  /** Where it listens. */
  readonly url: string
  readonly openAnswers: OpenAnswers
  readonly refusals: Refusals
  readonly isStopping: () => boolean
  /** Says at `/readyz` that it stops, and goes on until it is disposed. */
  readonly stopSoon: () => void
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
  const refusals = createRefusals(clock, log)
  const openAnswers = createOpenAnswers(clock, refusals)
  const stopping = new AbortController()
  const watching = openAnswers.watch(stopping.signal)
  opening.defer(() => {
    stopping.abort()
    return watching
  })
  let isStopping = false
  const opened = opening.move()
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${server.port}`,
    ...{ openAnswers, refusals },
    isStopping: () => isStopping,
    stopSoon() {
      isStopping = true
    },
    answer: (listener) => server.answer(listener, { openAnswers, refusals }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
