import type { EventEmitter } from 'node:events'
import type { LogLevel } from '../log.ts'
import type { Rejection } from './rejections.ts'

/*
 * Calls between the workers, which read and render, and the front, which holds the sockets and caches
 * responses. Node's IPC channel carries each as a list of its name and arguments, in order.
 */

export type UseLabel = {
  readonly site: string
  /** The label that the worker sent with the response. */
  readonly use: string
  /** True if the clients that use the response are counted. */
  readonly hasReaders?: boolean | undefined
}

export type Use = UseLabel & {
  readonly method: string
  readonly status: number
  readonly userAgent: string | undefined
  /** True the first time on a UTC day that a client uses a response with this label. */
  readonly isReader?: boolean
}

export type UseCount = { readonly use: Use; readonly count: number }

export type Purges = {
  /**
   * Marks representations with these names or tags as outdated. They may be sent for `staleMs`
   * while the site is slow, and longer while it does not respond.
   */
  readonly expire: (site: string, names: readonly string[], staleMs: number) => void
  /** Removes all of a site's responses, or those with a tag. They are never sent again. */
  readonly remove: (site: string, tags?: readonly string[]) => void
}

export type SitePurges = Purges & {
  /**
   * The site has started again, possibly on another host. If the version of its settings is still
   * the same, keeps its responses as outdated ones, except those with other tags than these.
   */
  readonly restart: (site: string, version: string, tags: readonly string[]) => void
}

/** The front from a worker's perspective. */
export type Front = SitePurges & {
  /** Removes all of a site's responses, on this host only, because another host has taken it over. */
  readonly lost: (site: string) => void
  /** Resolves once the front has handled all earlier calls. */
  readonly done: () => Promise<void>
  readonly onUse: (site: string, listener: (use: Use, count: number) => void) => void
}

/** Calls from a worker, `listen` first. The front keeps listening when the worker restarts. */
export type CallsToFront = SitePurges & {
  readonly lost: (site: string) => void
  readonly listen: (request: ListenRequest) => void
  /** The front responds with `done` once it has handled all earlier calls. */
  readonly confirm: (id: number) => void
  /** The worker starts or finishes reading a site's website. */
  readonly reading: (site: string, isDone: boolean) => void
  /** The first worker has read these sites from the sites file. */
  readonly changeSites: (text: string, sites: readonly PublicSite[]) => void
  readonly serving: () => void
  readonly drain: () => void
  readonly close: () => void
  readonly pong: () => void
}

/** Calls to a worker, `start` first. */
export type CallsToWorker = {
  /** The text of the sites file takes precedence over the file, which may be invalid. */
  readonly start: (sitesText: string | undefined) => void
  /** The worker then serves forwarded requests on the Unix socket. */
  readonly listening: (socket: WorkerSocket) => void
  readonly cannotListen: (message: string, details: object) => void
  readonly done: (id: number) => void
  /** The worker then serves its share of the sites in a changed sites file. */
  readonly sites: (change: SitesChange) => void
  /** The host is alive, so the worker keeps its sites. */
  readonly renewClaims: () => void
  readonly reload: () => void
  readonly uses: (uses: readonly UseCount[]) => void
  readonly figures: (figures: FrontFigures) => void
  readonly stop: (signal: 'SIGINT' | 'SIGTERM') => void
  readonly closed: () => void
  readonly ping: () => void
}

export type WorkerEvents = EventEmitter<{
  [Name in keyof CallsToWorker]: Parameters<CallsToWorker[Name]>
}>

/** Returns functions that send calls in one direction, as lists. */
export function callsSentBy(
  send: (call: readonly unknown[]) => void,
): CallsToFront & CallsToWorker {
  const get =
    (_target: object, name: string) =>
    (...values: readonly unknown[]) =>
      send([name, ...values])
  return new Proxy({}, { get }) as CallsToFront & CallsToWorker
}

export function callsEmittedBy(events: WorkerEvents): CallsToWorker {
  const emitter = events as EventEmitter
  return callsSentBy(([name, ...values]) => void emitter.emit(String(name), ...values))
}

/** Passes a call received as a list to the function with its name. */
export function receiveCall(calls: CallsToFront | CallsToWorker, call: unknown): void {
  const [name, ...values] = call as readonly [string, ...(readonly unknown[])]
  const functions = calls as Readonly<Record<string, (...parameters: readonly unknown[]) => void>>
  functions[name]?.(...values)
}

export type ListenRequest = {
  readonly host: string
  readonly port: number
  readonly proxies: number
  /** True if the server serves a single site, on every host. */
  readonly isAlone: boolean
  readonly logLevel: LogLevel
  readonly sites: readonly PublicSite[]
  /** Number of workers that share the sites. */
  readonly workers: number
  /** Undefined if the sites are on this host alone. */
  readonly hosts?: { readonly redisUrl: string; readonly url: string } | undefined
}

export type WorkerSocket = {
  readonly url: string
  readonly socketPath: string
  /** Recent unexpected exits of the worker's predecessors. */
  readonly exits: readonly WorkerExit[]
  readonly share: WorkerShare | undefined
  /** Latest valid text of the sites file, or undefined if the front has none. */
  readonly sitesText: string | undefined
}

export type PublicSite = { readonly name: string; readonly publicUrl: string }

/** A valid sites file, and a worker's share of it. */
export type SitesChange = { readonly text: string; readonly share: WorkerShare | undefined }

/** The sites of one of several workers. */
export type WorkerShare = {
  readonly names: readonly string[]
  /** The workers whose sites this one reports on. Empty except for the first worker. */
  readonly otherWorkers: readonly OtherWorker[]
  /** Socket path of the first worker. Undefined in the first worker. */
  readonly firstSocketPath: string | undefined
  /** Empty except for the first worker. */
  readonly otherHosts: readonly OtherHost[]
}

export type OtherWorker = {
  readonly index: number
  readonly socketPath: string
  readonly sites: readonly PublicSite[]
}

export type OtherHost = {
  readonly url: string
  /** For requests to it. */
  readonly keys: readonly string[]
  readonly sites: readonly PublicSite[]
}

/** Unexpected exit of an earlier worker, in milliseconds since the epoch. */
export type WorkerExit = { readonly at: number; readonly reading: readonly string[] }

export type FrontFigures = {
  readonly rejections: ReadonlyMap<Rejection, number>
  /** Longest event loop delay since the previous report. */
  readonly maxDelayMs: number
  readonly residentBytes: number
}

/**
 * Request header with the client's address, which a Unix socket does not have. The front always sets it,
 * so a request without it is from another worker.
 */
export const clientHeader = 'feedhouse-client'

/**
 * Request header with which the front asks whether to read a body, like a client that expects `100
 * Continue` (RFC 9110 10.1.1). But the response ends the exchange, so that a slow body does not keep
 * the worker busy. The value is the length of the body, or 0 if it is unknown.
 */
export const expectHeader = 'feedhouse-expect'

/** Response header with the number of bytes that the front may read, unless the response is final. */
export const continueHeader = 'feedhouse-continue'

/**
 * Request header with a host's challenge, or with the ticket and signature of a request from another
 * host's front or worker. Response header if these are invalid.
 */
export const hostHeader = 'feedhouse-host'
