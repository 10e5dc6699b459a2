import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { TimeSource } from '../clock.ts'
import type { Logger } from '../log.ts'
import { isCountedByFront, isRefetch } from '../front/cache-fields.ts'
import type { Use } from '../front/protocol.ts'
import { clientFamily, type ClientFamily } from './client-family.ts'
import { isContinue } from './send-continue.ts'
import { createLogThrottle } from '../front/rejections.ts'

/** Sampling rate: one in this many responses from the front is logged. */
const frontSample = 1_000

/** Maximum log lines per second; further requests are only counted. */
const linesPerSecond = 20

/** Monitoring requests these constantly, so successful responses are logged at the debug level. */
const probeRoutes = ['/livez', '/readyz', '/metrics']

const noRoute = 'none'

export type TrafficCount = { route: string; status: number; client: ClientFamily; count: number }

export type Traffic = {
  count(route: string, status: number, userAgent: string | undefined, count?: number): void
  counts(): readonly TrafficCount[]
}

/** Counts responses by route pattern, status and client family. */
export function createTraffic(): Traffic {
  const counts = new Map<string, TrafficCount>()
  return {
    count(route, status, userAgent, count = 1) {
      const client = clientFamily(userAgent)
      const key = `${route} ${status} ${client}`
      const known = counts.get(key)
      if (known) known.count += count
      else counts.set(key, { route, status, client, count })
    },
    counts: () => [...counts.values()],
  }
}

type FrontResponse = Omit<Use, 'site' | 'use'> & { readonly route: string }

export type RequestLog = {
  readonly answered: (response: FrontResponse, count: number) => void
  /** Records all other responses, and sets `X-Request-Id` and `response.locals.requestId`. */
  readonly handler: RequestHandler
}

/** Counts and logs responses. Logs the route, never the URL, which may be a secret. */
export function createRequestLog(traffic: Traffic, clock: TimeSource, log: Logger): RequestLog {
  const mayLog = createLogThrottle(clock, linesPerSecond)
  let untilSample = 0

  return {
    answered: ({ route, method, status, userAgent }, count) => {
      traffic.count(route, status, userAgent, count)
      untilSample -= count
      if (untilSample >= 0) return
      untilSample = frontSample - 1
      const client = clientFamily(userAgent)
      log.info({ method, route, status, client, oneOf: frontSample }, 'answered')
    },
    handler: (request, response, next) => {
      // No client waits for it.
      if (isRefetch(request)) return next()
      const id = randomUUID()
      const startedAt = clock.now()
      response.locals['requestId'] = id
      response.set('X-Request-Id', id)
      response.once('close', () => {
        const { method, headers } = request
        const route: string = response.locals['route'] ?? noRoute
        const status = response.statusCode
        if (isContinue(response)) return
        if (!isCountedByFront(response)) traffic.count(route, status, headers['user-agent'])
        const isCutOff = !response.writableFinished
        const isRoutine = probeRoutes.includes(route) && status < 400 && !isCutOff
        const level = isRoutine ? 'debug' : 'info'
        // Rejections are logged separately.
        if (response.locals['isRefused'] || !log.isLevelEnabled(level)) return
        const unlogged = mayLog()
        if (unlogged === undefined) return
        const client = clientFamily(headers['user-agent'])
        const sent = { id, method, route, status, client, ms: clock.now() - startedAt }
        const unusual = { ...(isCutOff && { isCutOff }), ...(unlogged > 0 && { unlogged }) }
        log[level]({ ...sent, ...unusual }, 'answered')
      })
      next()
    },
  }
}
