/*
 * Messages between the workers, which read and render, and the front, which holds the sockets and caches
 * responses. Node's IPC channel carries them.
 */

/** Use of a response that the worker has let the front cache. */
export type Use = {
  readonly site: string
  /** The label that the worker has sent with the response. */
  readonly use: string
  readonly method: string
  readonly status: number
  readonly userAgent: string | undefined
}

/** Purges of a site's responses in the front's cache. */
export type Purges = {
  /**
   * Makes representations with these names or tags outdated. They may be sent for `staleMs` while the site
   * is slow, and longer while it does not respond.
   */
  readonly expire: (site: string, names: readonly string[], staleMs: number) => void
  /** Removes responses of a site, all or those with one of the tags. They are never sent again. */
  readonly remove: (site: string, tags?: readonly string[]) => void
}

/** The front, as a worker sees it. */
export type Front = Purges & {
  /** Resolves once the front has done everything that it was asked to do before. */
  readonly done: () => Promise<void>
  /** Calls the listener for the uses of a site's responses. */
  readonly onUse: (site: string, listener: (use: Use, count: number) => void) => void
}

/** A `listen` request is the first message. The front keeps listening when the worker restarts. */
export type ToFront =
  | {
      readonly kind: 'listen'
      readonly host: string
      readonly port: number
      readonly proxies: number
      readonly isAlone: boolean
      readonly logLevel: string
      /** The sites of each worker, by its index. The first request determines how many workers there are. */
      readonly shares: readonly (readonly PublicSite[])[]
    }
  | {
      readonly kind: 'expire'
      readonly site: string
      readonly names: readonly string[]
      readonly staleMs: number
    }
  | { readonly kind: 'remove'; readonly site: string; readonly tags: readonly string[] | undefined }
  /** Asks for `done` after everything before, because messages are handled in their order. */
  | { readonly kind: 'confirm'; readonly id: number }
  /** The worker starts or finishes reading a site's website. */
  | { readonly kind: 'reading'; readonly site: string; readonly isDone: boolean }
  /** The first worker has read these sites from the sites file. */
  | {
      readonly kind: 'sites changed'
      readonly text: string
      readonly sites: readonly PublicSite[]
    }
  /** The worker has started completely. */
  | { readonly kind: 'serving' }
  | { readonly kind: 'drain' }
  /** Closes the server after the pending responses. */
  | { readonly kind: 'close' }
  | { readonly kind: 'pong' }

export type ToWorker =
  /** The first message. Its text of the sites file takes precedence over the file, which may be invalid. */
  | { readonly kind: 'start'; readonly sitesText: string | undefined }
  /** The worker then serves forwarded requests on the Unix socket. */
  | {
      readonly kind: 'listening'
      readonly url: string
      readonly socketPath: string
      readonly exits: readonly WorkerExit[]
      /** Undefined if there is only one worker. */
      readonly share: WorkerShare | undefined
      /** Latest valid text of the sites file; undefined if the front has none. */
      readonly sitesText: string | undefined
    }
  | {
      readonly kind: 'cannot listen'
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'done'; readonly id: number }
  /** The worker then serves its share of these sites. */
  | ({ readonly kind: 'sites' } & SitesChange)
  /** The first worker then reads the sites file again. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'uses'; readonly uses: readonly UseCount[] }
  | { readonly kind: 'figures'; readonly figures: FrontFigures }
  | { readonly kind: 'stop'; readonly signal: 'SIGINT' | 'SIGTERM' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'ping' }

export type PublicSite = { readonly name: string; readonly publicUrl: string }

/** A valid sites file, and the part of it that a worker serves. */
export type SitesChange = {
  readonly text: string
  /** Undefined if there is only one worker. */
  readonly share: WorkerShare | undefined
}

/** The sites of one of several workers. */
export type WorkerShare = {
  /** Names of its sites. */
  readonly sites: readonly string[]
  /** The workers whose sites this one reports on. Empty except for the first worker. */
  readonly otherWorkers: readonly OtherWorker[]
  /** Where the first worker listens; undefined in the first worker. */
  readonly firstSocketPath: string | undefined
}

export type OtherWorker = {
  readonly index: number
  readonly socketPath: string
  readonly sites: readonly PublicSite[]
}

export type UseCount = { readonly use: Use; readonly count: number }

/** Unexpected exit of an earlier worker, in milliseconds since the epoch. */
export type WorkerExit = {
  readonly at: number
  /** Sites that the worker was reading. */
  readonly reading: readonly string[]
}

/** Measurements of the front process. */
export type FrontFigures = {
  readonly rejections: ReadonlyMap<string, number>
  /** Longest event loop delay since the previous report. */
  readonly maxDelayMs: number
  readonly residentBytes: number
}

/**
 * Request header with the client's address, which a Unix socket does not have. The front always sets it,
 * so a request without it is from another worker.
 */
export const clientHeader = 'feedhouse-client'
