import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { onTestFinished } from 'vitest'
import { localhostCertificate } from '../../src/sandbox/certificate.ts'
import { listenLocally } from './local-server.ts'
import { testDirectory } from './service.ts'

/** Starts a server for the rest of the test, for responses that the sandbox never sends. */
export async function startHttpsServer(
  listener: RequestListener,
  certificate?: { readonly cert: string; readonly key: string },
) {
  const { caFile, cert, key } = await localhostCertificate(testDirectory())
  const server = createServer(certificate ?? { cert, key }, listener)
  const port = await listenLocally(server)
  onTestFinished(() => server.closeAllConnections())
  return { url: `https://localhost:${port}`, caPem: readFileSync(caFile, 'utf8') }
}
