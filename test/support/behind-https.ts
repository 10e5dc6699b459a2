import { request, type OutgoingHttpHeaders } from 'node:http'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { onTestFinished } from 'vitest'
import type { Environment } from '../../src/config/environment.ts'
import { startHttpsServer } from './https-server.ts'
import { startTestService } from './service.ts'

/**
 * Starts a service behind an https proxy at PUBLIC_URL, whose certificate this process trusts until
 * the test ends. The proxy may change response headers.
 */
export async function startBehindHttps({
  change = (headers) => headers,
  environment,
}: {
  readonly change?: (headers: OutgoingHttpHeaders) => OutgoingHttpHeaders
  readonly environment?: Environment
} = {}) {
  const target = { url: '' }
  const proxy = await startHttpsServer(({ url, method, headers }, response) => {
    request(`${target.url}${url}`, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, change(received.headers))
      received.pipe(response)
    }).end()
  })
  onTestFinished(() => proxy[Symbol.asyncDispose]())
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, proxy.caPem])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const service = await startTestService({
    environment: { PUBLIC_URL: proxy.url, TRUST_PROXY: '1', ...environment },
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  target.url = service.url
  await service.readAll()
  return { service, publicUrl: proxy.url }
}
