import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { listenLocally } from './local-server.ts'
import { testDirectory } from './service.ts'

/** Starts a server for one test, for responses that the sandbox never sends. */
export async function startHttpsServer(
  listener: RequestListener,
  certificate?: { readonly cert: string; readonly key: string },
) {
  const { caFile, cert, key } = await localhostCertificate(testDirectory())
  const server = createServer(certificate ?? { cert, key }, listener)
  const port = await listenLocally(server)
  return {
    url: `https://localhost:${port}`,
    caPem: readFileSync(caFile, 'utf8'),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
