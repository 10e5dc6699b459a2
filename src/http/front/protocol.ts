import type { ContentCoding } from '../../representations/content-coding.ts'
import type { PublishedResponse } from './prepared-response.ts'

/*
 * Messages between the makers, which read and render, and the front, which holds the sockets. Node's IPC
 * channel carries them as length-prefixed frames, in which bytes stay bytes.
 */

/** Returns the key of a response. Keys of different sites never clash. */
export function responseKey(site: string, name: string): string {
  return `${site} ${name}`
}

export function isKeyOf(site: string, key: string): boolean {
  return key.startsWith(`${site} `)
}

/** What a URL stands for. */
export type Address = {
  readonly site: string
  /** Key of the published response. */
  readonly key: string
  readonly isDownload: boolean
  /** The feed link in the URL and its current scope, if any. */
  readonly link: string | undefined
  /** When that link was last edited, in milliseconds since the epoch. */
  readonly editedAt: number | undefined
  /** Route pattern for logs and metrics. */
  readonly route: string
  /** True if requests for it are uses of the link. */
  readonly countsAsUse: boolean
}

/** A published response that has been sent. */
export type Use = {
  readonly address: Address
  readonly method: string
  readonly status: number
  readonly userAgent: string | undefined
}

/** A published response without the bodies that the front already has for the key or can decompress. */
export type SentResponse = Omit<PublishedResponse, 'encodings'> & {
  readonly encodings: readonly {
    readonly coding: ContentCoding
    readonly length: number
    readonly etag: string
    readonly isInflated: boolean
    readonly bytes?: Uint8Array
  }[]
}

/** A `listen` request is the first message. The front keeps listening when the maker restarts. */
export type ToFront =
  | {
      readonly kind: 'listen'
      readonly host: string
      readonly port: number
      readonly proxies: number
      readonly isAlone: boolean
      readonly logLevel: string
      /** The sites of each maker, by its index. The first request determines how many makers there are. */
      readonly shares: readonly (readonly PublicSite[])[]
    }
  | {
      readonly kind: 'publish'
      readonly key: string
      readonly response: SentResponse
      readonly validUntil: number
    }
  | { readonly kind: 'retire'; readonly key: string }
  /** Retires everything that a site has published. */
  | { readonly kind: 'retire site'; readonly site: string }
  /** Asks for `done` after everything before, because messages are handled in their order. */
  | { readonly kind: 'confirm'; readonly id: number }
  /** Says what a URL stands for before anyone requests it. */
  | {
      readonly kind: 'address'
      readonly host: string
      readonly path: string
      readonly address: Address
    }
  | {
      readonly kind: 'links'
      readonly site: string
      readonly servesUntil: ReadonlyMap<string, number>
    }
  /** The maker starts or finishes reading a site's website. */
  | { readonly kind: 'reading'; readonly site: string; readonly isDone: boolean }
  /** The first maker has read these sites from the sites file. */
  | {
      readonly kind: 'sites changed'
      readonly text: string
      readonly sites: readonly PublicSite[]
    }
  /** The maker has started completely. */
  | { readonly kind: 'serving' }
  | { readonly kind: 'drain' }
  /** Closes the server after the pending responses. */
  | { readonly kind: 'close' }
  | { readonly kind: 'pong' }

export type ToMaker =
  /** The first message. Its text of the sites file takes precedence over the file, which may be invalid. */
  | { readonly kind: 'start'; readonly sitesText: string | undefined }
  /** The maker then serves forwarded requests on the Unix socket. */
  | {
      readonly kind: 'listening'
      readonly url: string
      readonly socketPath: string
      readonly exits: readonly MakerExit[]
      /** Undefined if there is only one maker. */
      readonly share: MakerShare | undefined
      /** Latest valid text of the sites file; undefined if the front has none. */
      readonly sitesText: string | undefined
    }
  | {
      readonly kind: 'cannot listen'
      readonly message: string
      readonly details: Readonly<Record<string, unknown>>
    }
  | { readonly kind: 'done'; readonly id: number }
  /** The maker then serves its share of these sites. */
  | ({ readonly kind: 'sites' } & SitesChange)
  /** The first maker then reads the sites file again. */
  | { readonly kind: 'reload' }
  | { readonly kind: 'uses'; readonly uses: readonly UseCount[] }
  | { readonly kind: 'figures'; readonly figures: FrontFigures }
  | { readonly kind: 'stop'; readonly signal: 'SIGINT' | 'SIGTERM' }
  | { readonly kind: 'closed' }
  | { readonly kind: 'ping' }

export type PublicSite = { readonly name: string; readonly publicUrl: string }

/** A valid sites file, and the part of it that a maker serves. */
export type SitesChange = {
  readonly text: string
  /** Undefined if there is only one maker. */
  readonly share: MakerShare | undefined
}

/** The sites of one of several makers. */
export type MakerShare = {
  /** Names of its sites. */
  readonly sites: readonly string[]
  /** The makers whose sites this one reports on. Empty except for the first maker. */
  readonly otherMakers: readonly OtherMaker[]
  /** Where the first maker listens; undefined in the first maker. */
  readonly firstSocketPath: string | undefined
}

export type OtherMaker = {
  readonly index: number
  readonly socketPath: string
  readonly sites: readonly PublicSite[]
}

export type UseCount = { readonly use: Use; readonly count: number }

/** Unexpected exit of an earlier maker, in milliseconds since the epoch. */
export type MakerExit = {
  readonly at: number
  /** Sites that the maker was reading. */
  readonly reading: readonly string[]
}

/** Measurements of the front process. */
export type FrontFigures = {
  readonly rejections: ReadonlyMap<string, number>
  /** Longest event loop delay since the previous report. */
  readonly maxDelayMs: number
  readonly residentBytes: number
}

/** Response header in which the maker tells the front what a forwarded URL stands for, as JSON. */
export const addressHeader = 'feedhouse-address'

/** Header of a 503 response to a request that the front sends again, because its site has been replaced. */
export const repeatHeader = 'feedhouse-repeat'

/**
 * Request header with the client's address, which a Unix socket does not have. The front always sets it,
 * so a request without it is from another maker.
 */
export const clientHeader = 'feedhouse-client'
