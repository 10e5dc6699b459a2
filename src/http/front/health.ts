import type { IncomingMessage, ServerResponse } from 'node:http'
import type { WorkerExit } from './protocol.ts'

const livez = /^\/livez$/
/** A site may be below a path. */
const siteLivez = /^(?:\/[^/]+)?\/livez$/
const readyz = /^(?:\/[^/]+)?\/readyz$/
const status = /^(?:\/[^/]+)?\/status$/

const restartingText =
  'The process that reads the website has exited and is being restarted. Until then, feeds are served as they were.'
const silentText =
  'The status could not be determined in time. The process that reads the website, or its store, is busy or hangs. Feeds are served as they were. A process that does not respond for a minute is replaced.'

const statuses = {
  starting: { ok: null, state: 'starting', sentences: ['Feedhouse is starting.'] },
  serving: { ok: false, state: 'failing', sentences: [silentText] },
  restarting: { ok: false, state: 'failing', sentences: [restartingText] },
}

const ownHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' }

/** What the front knows about a worker's health. */
export type WorkerHealth = {
  /**
   * Answers `/livez` for the front. Returns false for other requests. Fails until the worker has served,
   * because proxies and updates of several replicas wait for it.
   */
  readonly sendAlive: (request: IncomingMessage, response: ServerResponse) => boolean
  /**
   * Answers health checks if the worker does not respond. Returns false for other requests. The service
   * stays ready, because it still serves everything in the cache.
   */
  readonly send: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Notes the status of a response from the worker. */
  readonly note: (request: IncomingMessage, status: number) => void
  readonly serving: () => void
  readonly exited: () => void
}

export function createWorkerHealth(): WorkerHealth {
  let state: keyof typeof statuses = 'starting'
  let wasReady = true

  function sendLivez(request: IncomingMessage, response: ServerResponse): true {
    return state === 'starting'
      ? send(request, response, 503, 'text/plain', 'starting\n')
      : send(request, response, 200, 'text/plain', 'ok\n')
  }

  return {
    sendAlive: (request, response) => isCheck(request, livez) && sendLivez(request, response),
    send(request, response) {
      if (isCheck(request, siteLivez)) return sendLivez(request, response)
      const isReady = wasReady && state !== 'starting'
      const json = 'application/json'
      if (isCheck(request, readyz)) {
        const body = JSON.stringify({ ready: isReady, waitingFor: [] })
        return send(request, response, isReady ? 200 : 503, json, body)
      }
      if (!isCheck(request, status)) return false
      return send(request, response, 200, json, JSON.stringify(statuses[state]))
    },
    note(request, code) {
      // Ignores other statuses, such as 404 below an unknown prefix.
      if (isCheck(request, readyz) && [200, 503].includes(code)) wasReady = code === 200
    },
    serving() {
      state = 'serving'
    },
    exited() {
      if (state === 'serving') state = 'restarting'
    },
  }
}

export function isHealthCheck(request: IncomingMessage): boolean {
  return [siteLivez, readyz, status].some((page) => isCheck(request, page))
}

/** Returns true for the status, which takes longer to collect than other health checks. */
export function isStatus(request: IncomingMessage): boolean {
  return isCheck(request, status)
}

function isCheck({ method, url = '' }: IncomingMessage, page: RegExp): boolean {
  return (method === 'GET' || method === 'HEAD') && page.test(url.split('?', 1)[0] ?? '')
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  type: string,
  text: string,
): true {
  response
    .writeHead(code, { 'Content-Type': `${type}; charset=utf-8`, ...ownHeaders })
    .end(request.method === 'HEAD' ? undefined : text)
  return true
}

/** How long an exit of the worker is reported at `/status`. */
const exitsShownMs = 60 * 60_000

/** Reports recent unexpected exits of the worker to the operator. */
export function exitSentences(exits: readonly WorkerExit[], now: number): readonly string[] {
  const recent = exits.filter(({ at }) => at > now - exitsShownMs)
  if (recent.length === 0) return []
  const count = recent.length === 1 ? 'once' : `${recent.length} times`
  return [
    `The process that reads the website exited unexpectedly ${count} in the last hour and was restarted. The log shows why.`,
  ]
}
