import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'

export type HttpsServer = AsyncDisposable & { readonly url: string; readonly caPem: string }

/** Starts a server on any free port, for responses that the sandbox never sends. */
export async function startHttpsServer(
  listener: RequestListener,
  certificate?: { readonly cert: string; readonly key: string },
): Promise<HttpsServer> {
  const directory = mkdtempSync(join(tmpdir(), 'feedhouse-test-'))
  const { caFile, cert, key } = await localhostCertificate(directory)
  const server = createServer(certificate ?? { cert, key }, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    caPem: readFileSync(caFile, 'utf8'),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      rmSync(directory, { recursive: true })
    },
  }
}
