import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Starts a server on a free loopback port for one test, and resolves to the port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
