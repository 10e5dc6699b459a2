import type { RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { checkAddress } from '../../src/check/address-check.ts'
import {
  calendarType,
  feed,
  key,
  problem,
  problemsIn,
  reportOf,
  respond,
  startHttp,
} from './checked-address.ts'
import { faultyCertificate } from '../support/faulty-certificate.ts'
import { startHttpsServer } from '../support/https-server.ts'

const dayMs = 24 * 60 * 60_000

test.for([
  { fault: 'expired', says: /certificate has expired/ },
  { fault: 'not yet valid', says: /certificate is not valid yet/ },
  {
    fault: 'another host',
    says: /certificate is for another host name; check the name in the address/,
  },
  { fault: 'self-signed', says: /certificate is self-signed/ },
  { fault: 'unknown authority', says: /phones do not trust its certificate/ },
] as const)('finds a certificate that is $fault', async ({ fault, says }) => {
  const { caPem, ...certificate } = await faultyCertificate(fault)
  await using server = await startHttpsServer(feed(), certificate)
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ...(caPem === undefined ? {} : { ca: [caPem] }),
  })
  expect(findings).toEqual([problem('fault', 'certificate', says)])
  expect(JSON.stringify(findings)).not.toContain(key)
})

test('warns of a certificate that expires soon', async () => {
  const report = await reportOf(feed(), { now: () => Date.now() + 36_500 * dayMs })
  expect(problemsIn(report)).toEqual([
    problem('note', 'certificate', /^The certificate expires on /),
  ])
})

test('finds an address without https', async () => {
  const { url } = await startHttp(feed())
  const report = await checkAddress(`${url}/a.ics`, { userAgent: 'test', now: Date.now })
  expect(problemsIn(report)).toEqual([problem('fault', 'https', /^The address is not encrypted/)])
})

test.for<{ name: string; listener: RequestListener; found: ReturnType<typeof problem> }>([
  {
    name: 'an endless body',
    listener(_, response) {
      response.writeHead(200, calendarType)
      const chunk = Buffer.alloc(64 * 1024, ' ')
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', send)
      send()
    },
    found: problem('fault', 'size', /larger than 200 kB, so the rest was not read/),
  },
  {
    name: 'a small response that decompresses to a huge one',
    listener: feed({ body: ' '.repeat(5_000_000) }),
    found: problem('fault', 'size', /larger than 200 kB/),
  },
  {
    name: 'a server that never responds',
    listener: () => undefined,
    found: problem('fault', 'connection', /does not respond; open the port/),
  },
  {
    name: 'a body that never ends',
    listener: (_, response) => void response.writeHead(200, calendarType).write('BEGIN:'),
    found: problem('fault', 'connection', /does not respond/),
  },
  {
    name: 'a connection that is interrupted',
    listener(_, response) {
      response.writeHead(200, { 'Content-Length': '100' }).write('BEGIN:')
      response.destroy()
    },
    found: problem('fault', 'connection', /the connection was interrupted/),
  },
])('ends the check of $name', async ({ listener, found }) => {
  const limits = { timeoutMs: 1_000, maxBodyBytes: 200_000 }
  expect(problemsIn(await reportOf(listener, { limits }))).toEqual([found])
})

test('finds an unknown host, a closed port, and a port without https', async () => {
  const options = { userAgent: 'test', now: Date.now }
  const closed = await startHttp(respond(200))
  closed.stop()
  const plain = await startHttp(respond(200))
  const [unknown, refused, noTls] = await Promise.all(
    [
      'https://feedhouse.invalid/',
      `${closed.url}/`,
      `${plain.url.replace('http:', 'https:')}/`,
    ].map((url) => checkAddress(url, options)),
  )
  expect(unknown?.findings).toEqual([
    problem('fault', 'connection', /the host name (?:does not exist|cannot be looked up)/),
  ])
  expect(refused?.findings).toEqual([problem('fault', 'connection', /nothing is listening/)])
  expect(noTls?.findings).toEqual([problem('fault', 'https', /it does not use https there/)])
})

test.for([
  { name: 'redirects', plain: 'redirects', found: problem('ok', 'webcal', /redirects to https/) },
  { name: 'responds', plain: 'responds', found: problem('note', 'webcal', /does not redirect/) },
  { name: 'is closed', plain: 'closed', found: problem('note', 'webcal', /does not respond/) },
])('checks webcal: addresses without sending the key: the port $name', async ({ plain, found }) => {
  const requested: string[] = []
  const web = await startHttp((request, response) => {
    requested.push(request.url ?? '')
    const location = plain === 'redirects' ? { Location: 'https://localhost/' } : {}
    response.writeHead(plain === 'redirects' ? 301 : 200, location).end()
  })
  if (plain === 'closed') web.stop()
  const server = await startHttpsServer(feed())
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { findings } = await checkAddress(`${server.url}/l/${key}/events.ics`, {
    userAgent: 'test',
    now: Date.now,
    ca: [server.caPem],
    limits: { webcalPort: web.port, httpsPort: Number(new URL(server.url).port) },
  })
  expect(findings.at(-1)).toEqual(found)
  expect(requested).toEqual(plain === 'closed' ? [] : ['/'])
})
