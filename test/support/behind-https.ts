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
  const proxy = await startHttpsServer((incoming, response) => {
    const { url, method, headers: sent } = incoming
    const outgoing = request(`${target.url}${url}`, { method, headers: sent }, (received) => {
      const headers = Object.entries(change(received.headers))
      const known = headers.filter(([, value]) => value !== undefined)
      response.writeHead(received.statusCode ?? 502, Object.fromEntries(known))
      received.pipe(response)
    })
    incoming.pipe(outgoing)
  })
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, proxy.caPem])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const service = await startTestService({
    environment: { PUBLIC_URL: proxy.url, TRUST_PROXY: '1', ...environment },
  })
  onTestFinished(() => service[Symbol.asyncDispose]())
  target.url = service.url
  await service.readAll()
  // Responses have no Last-Modified in the second of a change.
  await service.clock.advance(1_000)
  return { service, publicUrl: proxy.url }
}
