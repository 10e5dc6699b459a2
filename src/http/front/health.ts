import type { IncomingMessage, RequestListener } from 'node:http'
import type { MakerExit } from './protocol.ts'

/** Health pages, below any path prefix. */
const livez = /^(?:\/[^/?]+)?\/livez$/
const readyz = /^(?:\/[^/?]+)?\/readyz$/
const status = /^(?:\/[^/?]+)?\/status$/

const restartingText =
  'The part of Feedhouse that reads the website has exited and is being restarted. Until then, feeds are served as they were.'

/**
 * Serves health pages while the maker does not. The service stays ready, because it still serves
 * everything that has been published.
 */
export function createHealthFallback(others: RequestListener): {
  readonly listener: RequestListener
  /**
   * Notes the status of a response from the maker. Returns true if the fallback should respond instead,
   * because a maker that has just been restarted is not ready yet.
   */
  readonly note: (request: IncomingMessage, status: number) => boolean
  readonly makerExited: () => void
} {
  let isReady = true
  let isRestarting = false
  return {
    note({ url = '' }, code) {
      // Other statuses are not from a health page, such as 404 below an unknown prefix.
      if (!readyz.test(url) || (code !== 200 && code !== 503)) return false
      if (code === 503 && isRestarting) return isReady
      isRestarting = false
      isReady = code === 200
      return false
    },
    makerExited() {
      isRestarting = true
    },
    listener(request, response) {
      const { url = '' } = request
      const send = (code: number, type: string, text: string) => {
        const head = { 'Content-Type': type, 'Cache-Control': 'no-store' }
        response.writeHead(code, head).end(request.method === 'HEAD' ? undefined : text)
      }
      if (livez.test(url)) return send(200, 'text/plain; charset=utf-8', 'ok\n')
      if (readyz.test(url)) {
        const body = JSON.stringify({ ready: isReady, waitingFor: [] })
        return send(isReady ? 200 : 503, 'application/json; charset=utf-8', body)
      }
      if (status.test(url)) {
        const body = JSON.stringify({ ok: false, sentences: [restartingText] })
        return send(200, 'application/json; charset=utf-8', body)
      }
      return others(request, response)
    },
  }
}

/** How long an exit of the maker is reported at `/status`. */
const exitsShownMs = 60 * 60_000

/** Reports recent unexpected exits of the maker to the operator. */
export function exitSentences(exits: readonly MakerExit[], now: number): readonly string[] {
  const recent = exits.filter(({ at }) => at > now - exitsShownMs)
  if (recent.length === 0) return []
  const count = recent.length === 1 ? 'once' : `${recent.length} times`
  return [
    `The process that reads the website exited unexpectedly ${count} in the last hour and was restarted. The log shows why.`,
  ]
}
