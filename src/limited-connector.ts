import { subscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

/** Bytes that each connection had received when its latest request was sent. */
const receivedBefore = new WeakMap<Socket, number>()

subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: Socket }
  receivedBefore.set(socket, socket.bytesRead)
})

/**
 * Returns a connector that closes a connection when a response takes more than `maxBytes`, including
 * headers, trailers and extensions of chunks. undici does not limit the last two, and keeps all
 * received bytes of a body in memory.
 */
export function limitedConnector(
  options: buildConnector.BuildOptions,
  maxBytes: number,
): buildConnector.connector {
  const connect = buildConnector(options)
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result
      socket?.on('readable', () => {
        if (socket.bytesRead - (receivedBefore.get(socket) ?? 0) <= maxBytes) return
        socket.destroy(new Error('The response is too large'))
      })
      callback(...result)
    })
}
