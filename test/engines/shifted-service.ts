import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of the service that moves its time ahead, and that can be cut off. */
export type ShiftedService = AsyncDisposable & {
  readonly url: string
  /** Time by which the service is ahead. Pages read it at `/shift`. */
  shiftMs: number
  isCutOff: boolean
  /** Requests for the board's data that were answered. */
  polls: number
}

/** Times in the page of a board, in milliseconds since the epoch. */
const timesInPage = /(?<=data-now="|"readAt":)\d{13}/g

export async function shiftService(origin: string): Promise<ShiftedService> {
  const server = createServer(forward)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const shifted: ShiftedService = {
    url: `http://127.0.0.1:${port}`,
    shiftMs: 0,
    isCutOff: false,
    polls: 0,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }

  function forward(incoming: IncomingMessage, response: ServerResponse) {
    if (shifted.isCutOff) return void incoming.socket.destroy()
    const { method, headers, url = '/' } = incoming
    if (url === '/shift') return void response.end(String(shifted.shiftMs))
    const sent = { method, headers: { ...headers, host: new URL(origin).host } }
    const outgoing = request(
      new URL(url, origin),
      { ...sent, headers: { ...sent.headers, 'accept-encoding': 'identity' } },
      (answer) => void answerWith(answer, response, url),
    )
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  }

  async function answerWith(answer: IncomingMessage, response: ServerResponse, url: string) {
    const parts: Buffer[] = []
    for await (const part of answer) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const isPage = answer.headers['content-type']?.startsWith('text/html') === true
    const ahead = (time: string) => String(Number(time) + shifted.shiftMs)
    const sent = isPage ? Buffer.from(body.toString().replace(timesInPage, ahead)) : body
    const headers = { ...answer.headers }
    delete headers['transfer-encoding']
    for (const name of ['board-time', 'board-read']) {
      const time = Date.parse(String(headers[name] ?? ''))
      if (!Number.isNaN(time)) headers[name] = new Date(time + shifted.shiftMs).toISOString()
    }
    if (url.startsWith('/board.json')) shifted.polls += 1
    const status = answer.statusCode ?? 502
    const hasBody = status !== 304 && status !== 204
    response.writeHead(status, { ...headers, ...(hasBody && { 'content-length': sent.length }) })
    response.end(hasBody ? sent : undefined)
  }

  return shifted
}
