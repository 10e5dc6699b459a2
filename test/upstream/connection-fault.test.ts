import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { connectionFaultFrom } from '../../src/upstream/connection-fault.ts'
import { createConnection } from '../../src/upstream/connection.ts'
import { pageFrom } from '../../src/upstream/envelope.ts'
import { faultyCertificate } from '../support/faulty-certificate.ts'
import { freePort } from '../support/free-port.ts'
import { startHttpServer } from '../support/http-server.ts'
import { startHttpsServer } from '../support/https-server.ts'

const call = { method: 'GET', path: '/apps/api/news/', token: 'not-to-be-told' } as const

async function errorOf(siteUrl: string, caPem?: string, limits = {}) {
  await using connection = createConnection({ siteUrl, caPem, limits, now: Date.now })
  const page = connection.request(call).then((answer) => pageFrom(answer, 'news'))
  return await page.catch((error: unknown) => error)
}

test.for([
  { fault: 'expired', reason: 'certificate expired' },
  { fault: 'not yet valid', reason: 'certificate not yet valid' },
  { fault: 'another host', reason: 'certificate of another host' },
  { fault: 'self-signed', reason: 'certificate self-signed' },
  { fault: 'unknown authority', reason: 'certificate from an unknown authority' },
] as const)(
  'reports the fault "$fault" of a certificate as "$reason"',
  async ({ fault, reason }) => {
    const { caPem, ...certificate } = await faultyCertificate(fault)
    const server = await startHttpsServer((_request, response) => response.end('{}'), certificate)
    expect(await errorOf(server.url, caPem)).toMatchObject({ kind: 'tls', reason })
  },
)

test('reports a plain-HTTP server as "no TLS"', async () => {
  const url = await startHttpServer((_request, response) => void response.end())
  const error = await errorOf(url.replace('http:', 'https:'))
  expect(error).toMatchObject({ kind: 'tls', reason: 'no TLS' })
})

test('distinguishes a closed port from an unknown host name', async () => {
  const closed = await errorOf(`https://localhost:${await freePort()}`)
  expect(closed).toMatchObject({ kind: 'unreachable', reason: 'refused' })
  const nowhere = await errorOf('https://nowhere.invalid')
  expect(nowhere).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringMatching(/^name (?:unknown|server)$/),
  })
})

test.for([
  { code: 'UND_ERR_CONNECT_TIMEOUT', reason: 'no answer' },
  { code: 'ENOTFOUND', syscall: 'getaddrinfo', reason: 'name unknown' },
  { code: 'EAI_AGAIN', syscall: 'getaddrinfo', reason: 'name server' },
  { code: 'EHOSTUNREACH', syscall: 'connect', reason: 'no route' },
  { code: 'ETIMEDOUT', syscall: 'connect', reason: 'no answer' },
])('$code is $reason', ({ reason, ...properties }) => {
  const error = Object.assign(new Error('failed'), properties)
  expect(connectionFaultFrom(error)).toMatchObject({ kind: 'unreachable', reason })
})

test('reports a host as "refused" if all of its IP addresses refuse the connection', () => {
  const [first, second] = ['::1', '127.0.0.1'].map((address) =>
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect', address }),
  )
  const error = Object.assign(new AggregateError([first, second]), { code: 'ECONNREFUSED' })
  expect(connectionFaultFrom(error)).toMatchObject({ kind: 'unreachable', reason: 'refused' })
})

test.for<{ name: string; respond: RequestListener; error: object }>([
  {
    name: 'web page, with its title',
    respond: (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><title>Members Area: log in</title></html>'),
    error: { kind: 'unexpected_answer', reason: 'web page', remoteMessage: 'Members Area: log in' },
  },
  {
    name: 'redirect, with its target but without secrets',
    respond: (_request, response) =>
      response.writeHead(301, { location: 'https://www.example.org/x?key=secret' }).end(),
    error: {
      kind: 'unexpected_answer',
      reason: 'redirect',
      remoteMessage: 'https://www.example.org/x',
    },
  },
  {
    name: 'proxy that responds because the website is down',
    respond: (_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<title>Bad Gateway</title>'),
    error: { kind: 'unavailable', reason: undefined },
  },
])('reports a response that is not from the service: a $name', async ({ respond, error }) => {
  const server = await startHttpsServer(respond)
  expect(await errorOf(server.url, server.caPem)).toMatchObject(error)
})
