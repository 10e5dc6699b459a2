import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** Returns a port that is currently unused. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = once(server, 'close')
  server.close()
  await closed
  return port
}
