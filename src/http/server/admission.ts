import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Rejections } from './rejections.ts'

const severalHostsText = 'A request must have one Host header.\n'

/**
 * Rejects requests with several hosts. Closes connections with more than `maxPipelined` pipelined
 * requests, because Node would render all responses concurrently and buffer them until they are read.
 */
export function admission(
  listener: RequestListener,
  rejections: Rejections,
  { maxPipelined }: { readonly maxPipelined: number },
): RequestListener {
  const pipelined = new WeakMap<Socket, number>()

  function countPipelined(socket: Socket, response: ServerResponse): number {
    const count = (pipelined.get(socket) ?? 0) + 1
    pipelined.set(socket, count)
    response.once('close', () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1))
    return count
  }

  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    // Node assigns the socket once earlier responses have been sent.
    if (response.socket === null && countPipelined(socket, response) > maxPipelined) {
      rejections.report('too many requests ahead', { address: socket.remoteAddress })
      socket.destroy()
      return
    }
    if (hasSeveralHosts(request.rawHeaders)) return refuseSeveralHosts(response)
    listener(request, response)
  }
}

/** Returns true for more than one `Host` header, which a server must reject (RFC 9112 3.2). */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

function refuseSeveralHosts(response: ServerResponse): void {
  response
    .writeHead(400, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Cache-Control': 'no-store',
      Connection: 'close',
    })
    .end(severalHostsText)
}
