import { existsSync, writeFileSync } from 'node:fs'
import { ownerOf } from '../../src/hosting/site-shares.ts'
import { openWorkerChannel, openWorkerServer } from '../../src/hosting/worker-server.ts'
import { systemClock as clock } from '../../src/clock.ts'
import type { ServerResponse } from 'node:http'
import { setCacheFields, type CacheFields } from '../../src/front/cache-fields.ts'
import { sendContinue } from '../../src/web/send-continue.ts'
import { createLogger } from '../../src/log.ts'
import type { TestHosts } from './front.ts'

/*
 * Worker for tests of the front. Lets it keep `/published` and reports its address in the file that the
 * second argument names, where it writes the number of uses when it stops. Other paths make it crash, hang,
 * exhaust its memory, or respond in unusual ways. If there are several workers or hosts, each has one site.
 */

const [index = '', urlFile = '', argument = '0', workers = '1', shared = ''] = process.argv.slice(2)
const hosts = shared === '' ? undefined : (JSON.parse(shared) as TestHosts)
const isAlone = workers === '1' && !hosts
const members =
  hosts?.urls ?? Array.from({ length: Number(workers) }, (_, worker) => String(worker))

/** Returns the name of a site that one of the members owns. */
function siteOwnedBy(member: string): string {
  for (let count = 1; ; count += 1) {
    const name = `site-${count}`
    if (ownerOf(name, members) === member) return name
  }
}

const sites = (isAlone ? [] : members).map((member, position) => ({
  name: siteOwnedBy(member),
  publicUrl: `http://site-${position}.example`,
}))
const site = sites[hosts ? hosts.urls.indexOf(hosts.url) : Number(index)]?.name ?? ''
const failsToStart = argument === 'fail'
const port = failsToStart || ['late', 'slow'].includes(argument) ? '0' : argument

// Signals end this process until it has a channel to the front.
if (argument === 'slow' && existsSync(urlFile)) {
  writeFileSync(urlFile, String(process.pid))
  await clock.sleep(60_000)
}

/** Maximum length of the body of a request for `/echo`. */
const maxEchoBytes = 1024 * 1024

const { channel, stopped, close } = openWorkerChannel(Number(index))
const bytes = Buffer.from(`published by ${process.pid}`)

/** Lets the front cache a response, for these periods. */
function keep(response: ServerResponse, periods: Partial<CacheFields>): void {
  const { url: representation = '' } = response.req
  setCacheFields(response, {
    site,
    representation,
    tags: [],
    maxAgeMs: 0,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 600_000,
    use: representation,
    ...periods,
  })
  response.setHeader('ETag', `"${process.pid}"`).setHeader('Content-Length', bytes.length)
}

/** Makes a cacheable response uncacheable. */
function keepFaulty(response: ServerResponse, fault: string): void {
  if (fault === 'directives') response.setHeader('Feedhouse-Cache-Control', 'max-age=ten')
  if (fault === 'tags') response.setHeader('Feedhouse-Tags', 'a,,b')
  if (fault === 'site') response.removeHeader('Feedhouse-Site')
  if (fault === 'cookie') response.setHeader('Set-Cookie', 'a=b')
  if (fault === 'vary') response.setHeader('Vary', 'Cookie')
  if (fault === 'etag') response.removeHeader('ETag')
  if (fault === 'length') response.removeHeader('Content-Length')
  if (fault === 'time') response.setHeader('Feedhouse-Time', 'Board Time')
}

/** Blocks this process, without using the processor. */
function hang(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

async function serve(): Promise<void> {
  const address = {
    host: '127.0.0.1',
    port: Number(port),
    proxies: 1,
    isAlone,
    sites,
    workers: Number(workers),
    hosts,
  }
  const server = await openWorkerServer(channel, address, { clock, log: createLogger('silent') })
  if (failsToStart) {
    await server[Symbol.asyncDispose]()
    throw new Error('the store cannot be opened')
  }
  if (argument === 'late' && index !== '0' && server.exits.length === 0) process.exit(6)
  const { front } = server
  if (hosts) channel.front.changeSites('sites', sites)
  front.remove(site)
  const answering = server.answer((request, response) => {
    const { url = '' } = request
    requests += 1
    if (url === '/requests') return void response.end(String(requests))
    if (url === '/exit') process.exit(3)
    if (url === '/exit-once.rss' && server.exits.length === 0) process.exit(3)
    if (url === '/hang') hang()
    if (url === '/stall') return void response.write('some', hang)
    if (url === '/memory') process.abort()
    if (url === '/reading') channel.front.reading('Milbrook', false)
    const [, name, value = ''] = url.split('/').map(decodeURIComponent)
    if (name === 'retire') front.remove(site)
    if (name === 'lost') front.lost(site)
    if (name === 'restart') front.restart(site, value, [])
    if (name === 'expire') front.expire(site, ['/published'], Number(value))
    if (['retire', 'lost', 'restart', 'expire'].includes(name ?? '')) {
      return void front.done().then(() => response.end('done'))
    }
    if (url === '/worker') return void response.end(index)
    if (url === '/process') return void response.end(String(process.pid))
    if (url === '/figures') return void response.end(JSON.stringify(server.frontFigures() ?? null))
    if (name === 'pause') {
      const isPaused = server.readingGuardFor(value).pausedUntil() > clock.now()
      return void response.end(String(isPaused))
    }
    if (url === '/exits') return void response.end(JSON.stringify(server.exits))
    if (url === '/renewals') return void response.end(String(renewals))
    if (url === '/fetches') return void response.end(String(fetches))
    if (url === '/uses') return void response.end(String(uses))
    if (url === '/cut') return void response.write('some', () => response.destroy())
    if (url === '/starting') return void response.writeHead(503).end('starting')
    if (name === 'withdrawn') {
      const earlier = withdrawn.get(value) ?? 0
      withdrawn.set(value, earlier + 1)
      const status = [200, Number(value)][earlier] ?? 503
      if (status !== 200) return void response.writeHead(status).end(url)
      keep(response, {})
      return void response.end(bytes)
    }
    if (url === '/headers') {
      const headers = { Connection: 'keep-alive, X-Hop', 'X-Hop': 'a', 'X-End': 'b' }
      response.setHeaders(new Map(Object.entries(headers)))
      return void response.end(JSON.stringify(request.headers))
    }
    if (url === '/echo') {
      try {
        if (sendContinue(request, response, maxEchoBytes)) return
      } catch {
        return void response.writeHead(413).end()
      }
      response.writeHead(201, { 'X-Own': 'kept', 'Keep-Alive': 'timeout=1' })
      response.write(`${request.method} ${request.socket.remoteAddress} ${request.headers.host} `)
      return void request.pipe(response)
    }
    if (/\/published(?:\?|$)/.test(url)) {
      fetches += 1
      keep(response, { maxAgeMs: 600_000 })
      return void response.end(bytes)
    }
    if (name === 'silent') return void silent.push(response)
    if (url === '/speak') for (const each of silent.splice(0)) each.end('spoken')
    if (url === '/outdated') {
      if (slow++ > 0) return
      keep(response, {})
      return void response.end(bytes)
    }
    if (name === 'kept') {
      const fault = value
      keep(response, { maxAgeMs: 600_000 })
      keepFaulty(response, fault)
      if (fault === 'cut') return void response.write('some', () => response.destroy())
      if (fault === 'stall') return void response.write('some')
      if (fault === 'odd') {
        return void request.socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n')
      }
      return void response.end(bytes)
    }
    response.end(url)
  })
  channel.events.on('renewClaims', () => (renewals += 1))
  let uses = 0
  let renewals = 0
  let requests = 0
  let fetches = 0
  let slow = 0
  const silent: ServerResponse[] = []
  const withdrawn = new Map<string, number>()
  front.onUse(site, (_use, count) => (uses += count))
  if (index === '0') writeFileSync(urlFile, server.url)
  await stopped
  await answering[Symbol.asyncDispose]()
  if (index === '0') writeFileSync(urlFile, String(uses))
  await server[Symbol.asyncDispose]()
}

if (port === 'none') {
  process.exitCode = 5
} else {
  try {
    await serve()
  } catch (error) {
    writeFileSync(urlFile, String(error))
    process.exitCode = 4
  }
}
close()
// Work in the background ends later.
channel.front.pong()
