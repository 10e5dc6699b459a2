import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished } from 'vitest'
import {
  checkAddress,
  type AddressCheckOptions,
  type AddressReport,
} from '../../src/check/address-check.ts'
import type { AddressFinding } from '../../src/check/response-check.ts'
import { startHttpsServer } from '../support/https-server.ts'
import { listenLocally } from '../support/local-server.ts'

/* Serves sound and faulty feeds, and checks their addresses. */

export const key = 'k'.repeat(32)
export const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'END:VCALENDAR', ''].join('\r\n')

const validators = { ETag: '"1"', 'Last-Modified': 'Mon, 02 Mar 2026 10:00:00 GMT' }
export const calendarType = { 'Content-Type': 'text/calendar; charset=utf-8' }

/** Serves a feed the way Feedhouse does, except for the given changes. */
export function feed(
  changes: {
    readonly body?: string
    readonly headers?: OutgoingHttpHeaders
    readonly ignores?: 'if-none-match' | 'if-modified-since'
    readonly isPlain?: boolean
  } = {},
): RequestListener {
  const { body = calendar, ignores, isPlain = false } = changes
  const headers = { ...calendarType, ...validators, ...changes.headers }
  return (request, response) => {
    const isKnown = (['if-none-match', 'if-modified-since'] as const).some(
      (name) => name !== ignores && request.headers[name] !== undefined,
    )
    if (isKnown) return void response.writeHead(304, headers).end()
    if (isPlain) return void response.writeHead(200, headers).end(body)
    response.writeHead(200, { ...headers, 'Content-Encoding': 'gzip' }).end(gzipSync(body))
  }
}

export const page =
  (html: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'text/html' }).end(html)

export const respond =
  (status: number, headers: OutgoingHttpHeaders = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end('x')

export const redirect = (location: string) => respond(302, { Location: location })

export async function startHttp(listener: RequestListener) {
  const server = createServer(listener)
  const port = await listenLocally(server)
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(stop)
  return { port, url: `http://localhost:${port}`, stop }
}

type Change = Partial<AddressCheckOptions> & { readonly path?: string }

export async function reportOf(
  listener: RequestListener,
  { path = '/events.ics', ...change }: Change = {},
): Promise<AddressReport> {
  const server = await startHttpsServer(listener)
  const ca = [server.caPem]
  return checkAddress(`${server.url}${path}`, { userAgent: 'test', now: Date.now, ca, ...change })
}

export const problemsIn = ({ findings }: Pick<AddressReport, 'findings'>) =>
  findings.filter(({ state }) => state !== 'ok')

export function problem(state: AddressFinding['state'], check: string, says: RegExp) {
  return { check, state, sentence: expect.stringMatching(says) }
}
