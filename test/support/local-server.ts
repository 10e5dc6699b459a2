import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server on a free loopback port for one test, and resolves to the port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Starts a server for one test that never sends any data, so that TLS handshakes stall. */
export async function silentServer() {
  const server = createServer()
  const connected = once(server, 'connection') as Promise<[Socket]>
  return { server, connected, siteUrl: `https://127.0.0.1:${await listenLocally(server)}` }
}

/** Starts a server for one test whose connections stay silent until they are passed on to a port. */
export async function gateServer() {
  const opened = Promise.withResolvers<number>()
  async function passOn(near: Socket): Promise<void> {
    near.once('error', () => near.destroy())
    const far = connect(await opened.promise, '127.0.0.1')
    far.once('error', () => near.destroy())
    near.once('close', () => far.destroy())
    near.pipe(far).pipe(near)
  }
  const server = createServer((near) => void passOn(near))
  const port = await listenLocally(server)
  return { siteUrl: `https://localhost:${port}`, passOnTo: opened.resolve }
}
