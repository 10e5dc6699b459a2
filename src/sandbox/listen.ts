import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

const host = '127.0.0.1'

/**
 * Listens on a port (0 for any free port) until the resources are disposed of. Returns the port.
 */
export async function listen(
  server: Server,
  port: number,
  resources: AsyncDisposableStack,
): Promise<number> {
  // Includes sockets that the HTTP server does not track, which are those in a handshake or after
  // CONNECT.
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  resources.defer(async () => {
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  return (server.address() as AddressInfo).port
}
