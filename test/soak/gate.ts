import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** How long a silent gate keeps a connection, in real time. */
const silenceMs = 50

/** Number of bytes of each response that a truncating gate lets through. */
const truncatedAt = 4_000

/** State of the network in front of a server. */
type Passage =
  | 'open'
  /** Connections are reset. */
  | 'reset'
  /** Connections are accepted, but nothing is answered. */
  | 'silent'
  /** Connections break in the middle of a response. */
  | 'truncated'

/** Creates a gate that forwards connections to a server, unless the network has a fault. */
export async function createGate(serverPort: number) {
  let passage: Passage = 'open'
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  }

  const server = createServer((client) => {
    track(client)
    if (passage === 'reset') return void client.resetAndDestroy()
    if (passage === 'silent') return void setTimeout(() => client.destroy(), silenceMs).unref()
    const upstream = connect(serverPort, '127.0.0.1')
    track(upstream)
    client.pipe(upstream).pipe(client)
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    if (passage !== 'truncated') return
    let received = 0
    upstream.on('data', (bytes) => {
      received += bytes.length
      if (received > truncatedAt) upstream.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  function breakConnections(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: (server.address() as AddressInfo).port,
    /** Breaks all connections, and treats new ones this way. */
    set(changed: Passage) {
      passage = changed
      breakConnections()
    },
    async [Symbol.asyncDispose]() {
      breakConnections()
      server.close()
    },
  }
}
