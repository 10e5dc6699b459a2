/*
 * Runs many sandboxes in one process. Serves their settings, the number of calls in each second, and the
 * highest number of calls of a site within a minute, over plain HTTP.
 *
 *   node bench/sites/websites.ts COUNT DIRECTORY FRESH_SECONDS
 */
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { TLSSocket } from 'node:tls'
import { createSandbox } from '../../src/sandbox/sandbox.ts'

const [count = '', directory = '', freshSeconds = ''] = process.argv.slice(2)
const calls: number[] = []
/** Times of the calls of each site within the latest minute, by its port. */
const latest = new Map<number | undefined, number[]>()
let mostPerMinute = 0
const startedAt = performance.now()

subscribe('http.server.request.start', (message) => {
  const { request } = message as { readonly request: IncomingMessage }
  if (!(request.socket instanceof TLSSocket)) return
  const second = Math.floor((performance.now() - startedAt) / 1000)
  calls[second] = (calls[second] ?? 0) + 1
  const port = request.socket.localPort
  const now = performance.now()
  const minute = [...(latest.get(port) ?? []).filter((time) => time > now - 60_000), now]
  latest.set(port, minute)
  mostPerMinute = Math.max(mostPerMinute, minute.length)
})

let caFile = ''
const settings: Record<string, Readonly<Record<string, string>>> = {}
for (let number = 1; number <= Number(count); number += 1) {
  const sandbox = await createSandbox({
    certificateDirectory: directory,
    callsPerMinute: 1_000,
    callsPerDay: 1_000_000,
  })
  caFile = sandbox.caFile
  settings[`site-${number}`] = {
    SITE_URL: sandbox.url,
    SITE_REFRESH_TOKEN: sandbox.projects[0]?.refreshToken ?? '',
    SITE_TIME_ZONE: sandbox.timeZone,
    FRESH_SECONDS: freshSeconds,
    SITE_NAME: `Department ${number}`,
    PUBLIC_URL: `http://feeds.example/site-${number}`,
    PUBLIC_FEEDS: 'events,news,calendar,rental,signup,announcements',
  }
}

const server = createServer((_request, response) => {
  response.end(
    JSON.stringify({
      settings,
      caFile,
      mostPerMinute,
      calls: Array.from(calls, (each) => each ?? 0),
    }),
  )
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
