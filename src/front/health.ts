import type { IncomingMessage, ServerResponse } from 'node:http'

const restartingText =
  'The process that reads the website has exited and is being restarted. Until then, feeds are served from the last good copies.'
const silentText =
  'The status could not be determined in time. The process that reads the website, or its store, is busy or hangs. Feeds are served from the last good copies. A process that does not respond for a minute is replaced.'

const statuses = {
  starting: { ok: null, state: 'starting', sentences: ['Feedhouse is starting.'] },
  serving: { ok: false, state: 'failing', sentences: [silentText] },
  restarting: { ok: false, state: 'failing', sentences: [restartingText] },
}

const ownHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** Returns the name of a health check, for the service or for a site below a path. */
export function healthCheckOf({ method, url = '' }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  return /^(?:\/[^/?]+)?\/(livez|readyz|status)(?:\.json)?(?:\?|$)/.exec(url)?.[1]
}

export type WorkerHealth = {
  /**
   * Answers health checks if the worker does not respond. Returns false for other requests.
   * `/livez` fails until the worker has served a request, because proxies and rolling updates wait
   * for it. After that, the service stays ready, because it still serves everything in the cache.
   */
  readonly respond: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Answers `/livez` for the front. Below a path, only the worker knows whether a site exists. */
  readonly respondForFront: (request: IncomingMessage, response: ServerResponse) => boolean
  /**
   * Records the status of a response from the worker to `/readyz`, except statuses of other pages,
   * such as 404.
   */
  readonly note: (request: IncomingMessage, status: number) => void
  readonly serving: () => void
  readonly exited: () => void
}

/** Tracks a worker's health, and answers health checks in its place. */
export function createWorkerHealth(): WorkerHealth {
  let state: keyof typeof statuses = 'starting'
  let wasReady = true

  function respond(request: IncomingMessage, response: ServerResponse): boolean {
    const check = healthCheckOf(request)
    const isStarted = state !== 'starting'
    const ready = wasReady && isStarted
    if (check === 'livez') send(request, response, isStarted, isStarted ? 'ok\n' : 'starting\n')
    else if (check === 'readyz') send(request, response, ready, { ready, waitingFor: [] })
    else if (check === 'status') send(request, response, true, statuses[state])
    return check !== undefined
  }

  return {
    respond,
    respondForFront: (request, response) =>
      /^\/livez(?:\?|$)/.test(request.url ?? '') && respond(request, response),
    note: (request, status) => {
      const isKnown = healthCheckOf(request) === 'readyz' && [200, 503].includes(status)
      if (isKnown) wasReady = status === 200
    },
    serving: () => {
      state = 'serving'
    },
    exited: () => {
      if (state === 'serving') state = 'restarting'
    },
  }
}

/** Sends text, or an object as JSON. */
function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  isOk: boolean,
  content: string | object,
): void {
  const isText = typeof content === 'string'
  const type = `${isText ? 'text/plain' : 'application/json'}; charset=utf-8`
  const text = isText ? content : JSON.stringify(content)
  response
    .writeHead(isOk ? 200 : 503, { 'Content-Type': type, ...ownHeaders })
    .end(method === 'HEAD' ? undefined : text)
}
