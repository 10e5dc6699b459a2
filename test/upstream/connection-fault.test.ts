import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectionFaultFrom } from '../../src/upstream/connection-fault.ts'
import { createConnection } from '../../src/upstream/connection.ts'
import { pageFrom } from '../../src/upstream/envelope.ts'
import { faultyCertificate } from '../support/faulty-certificate.ts'
import { startHttpsServer } from '../support/https-server.ts'

const call = { method: 'GET', path: '/apps/api/news/', token: 'not-to-be-told' } as const

/** Calls a site, and returns the error. */
async function errorOf(siteUrl: string, caPem?: string, limits = {}) {
  await using connection = createConnection({ siteUrl, caPem, limits, now: Date.now })
  return await connection.request(call).then(
    (answer) => {
      try {
        return pageFrom(answer, 'news')
      } catch (error) {
        return error
      }
    },
    (error: unknown) => error,
  )
}

describe('a certificate', () => {
  test.for([
    { fault: 'expired', reason: 'certificate expired' },
    { fault: 'not yet valid', reason: 'certificate not yet valid' },
    { fault: 'another host', reason: 'certificate of another host' },
    { fault: 'self-signed', reason: 'certificate self-signed' },
    { fault: 'unknown authority', reason: 'certificate from an unknown authority' },
  ] as const)('with the fault "$fault" is reported as "$reason"', async ({ fault, reason }) => {
    const { cert, key, caPem } = await faultyCertificate(fault)
    await using server = await startHttpsServer((_request, response) => response.end('{}'), {
      cert,
      key,
    })
    expect(await errorOf(server.url, caPem)).toMatchObject({ kind: 'tls', reason })
  })
})

test('reports a plain-HTTP server as "no TLS"', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const fault = { kind: 'tls', reason: 'no TLS' }
  expect(await errorOf(`https://127.0.0.1:${port}`)).toMatchObject(fault)
})

test('distinguishes a closed port from an unknown host name', async () => {
  const server = await startHttpsServer((_request, response) => response.end())
  await server[Symbol.asyncDispose]()
  expect(await errorOf(server.url)).toMatchObject({ kind: 'unreachable', reason: 'refused' })
  const nowhere = await errorOf('https://nowhere.invalid')
  expect(nowhere).toMatchObject({ kind: 'unreachable' })
  expect(['name unknown', 'name server']).toContain((nowhere as { reason?: string }).reason)
})

test('reports a connection timeout as "no answer"', () => {
  const timeout = Object.assign(new Error('late'), { code: 'UND_ERR_CONNECT_TIMEOUT' })
  expect(connectionFaultFrom(timeout)).toMatchObject({ kind: 'unreachable', reason: 'no answer' })
})

test.for([
  { code: 'ENOTFOUND', syscall: 'getaddrinfo', reason: 'name unknown' },
  { code: 'EAI_AGAIN', syscall: 'getaddrinfo', reason: 'name server' },
  { code: 'EHOSTUNREACH', syscall: 'connect', reason: 'no route' },
  { code: 'ETIMEDOUT', syscall: 'connect', reason: 'no answer' },
])('$code is $reason', ({ reason, ...properties }) => {
  const error = Object.assign(new Error('failed'), properties)
  expect(connectionFaultFrom(error)).toMatchObject({ kind: 'unreachable', reason })
})

test('reports a host as "refused" if all its IP addresses refuse', () => {
  const [first, second] = ['::1', '127.0.0.1'].map((address) =>
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect', address }),
  )
  const error = Object.assign(new AggregateError([first, second]), { code: 'ECONNREFUSED' })
  expect(connectionFaultFrom(error)).toMatchObject({ kind: 'unreachable', reason: 'refused' })
})

describe('a response that is not from the service', () => {
  test('is reported as a web page, with its title', async () => {
    await using server = await startHttpsServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<html><title>Members Area: log in</title></html>'),
    )
    expect(await errorOf(server.url, server.caPem)).toMatchObject({
      kind: 'unexpected_answer',
      reason: 'web page',
      remoteMessage: 'Members Area: log in',
    })
  })

  test('is reported as a redirect, with its target but without secrets', async () => {
    await using server = await startHttpsServer((_request, response) =>
      response.writeHead(301, { location: 'https://www.example.org/x?key=secret' }).end(),
    )
    expect(await errorOf(server.url, server.caPem)).toMatchObject({
      kind: 'unexpected_answer',
      reason: 'redirect',
      remoteMessage: 'https://www.example.org/x',
    })
  })

  test('is reported as unavailable if a proxy responds because the website is down', async () => {
    await using server = await startHttpsServer((_request, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<title>Bad Gateway</title>'),
    )
    const error = await errorOf(server.url, server.caPem)
    expect(error).toMatchObject({ kind: 'unavailable', reason: undefined })
  })
})
