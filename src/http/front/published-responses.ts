import type { TimeSource } from '../../clock.ts'
import { isKeyOf, type Address, type SentResponse } from './protocol.ts'
import { createRememberedUrls } from './remembered-urls.ts'
import { receivedResponse } from './sent-responses.ts'
import {
  prepareResponse,
  type PreparedResponse,
  type PublishedResponse,
} from './prepared-response.ts'

/**
 * A recently outdated response is sent while the maker is busy. At midnight, for example, the feeds of all
 * sites expire at the same time.
 */
const recentMs = 60_000

/** How outdated a response may be: not at all, by up to `recentMs`, or by any time. */
export type Staleness = 'none' | 'recent' | 'any'

/** Responses that can be sent without Express. All methods but `find` are called by the maker. */
export type PublishedResponses = {
  /** Replaces the response. `validUntil` is in milliseconds since the epoch, or infinite. */
  readonly publish: (key: string, response: PublishedResponse, validUntil: number) => void
  readonly retire: (key: string) => void
  /** Retires everything that a site has published, also before its maker was restarted. */
  readonly retireSite: (site: string) => void
  /** Makes all responses of a maker process outdated, because it has exited. */
  readonly expire: (maker: number) => void
  /** Publishes a response that a maker process has sent. */
  readonly receive: (maker: number, key: string, response: SentResponse, validUntil: number) => void
  /**
   * Replaces the open links of a site, with the times until which they serve feeds. The site has started,
   * so this drops the responses of makers that have exited, which may no longer be allowed.
   */
  readonly setLinks: (site: string, servesUntil: ReadonlyMap<string, number>) => void
  readonly remember: (url: string, address: Address) => void
  /** Forgets what a URL stands for, because the maker refuses it or no longer has it. */
  readonly forget: (url: string) => void
  /**
   * Returns the response for a URL and the current time, or undefined if it must be rendered first.
   * `allowed` also permits responses that are no longer valid, but never those of ended links.
   */
  readonly find: (url: string, allowed?: Staleness) => FoundResponse | undefined
}

type FoundResponse = {
  readonly address: Address
  readonly response: PreparedResponse
  /** In milliseconds since the epoch. */
  readonly now: number
}

type Published = {
  readonly response: PublishedResponse
  readonly validUntil: number
  /** The maker process that has sent the response, if any. */
  readonly maker?: number
  inline?: PreparedResponse
  download?: PreparedResponse
}

/** Creates the table of published responses. The maker bounds their size, this table their URLs. */
export function createPublishedResponses(clock: TimeSource): PublishedResponses {
  const published = new Map<string, Published>()
  const linksOf = new Map<string, ReadonlyMap<string, number>>()
  const urls = createRememberedUrls()
  /** Keys of responses from makers that have exited. Their successors do not know which to retire. */
  const leftOver = new Set<string>()

  function retire(key: string): void {
    published.delete(key)
    leftOver.delete(key)
  }

  function isEnded({ site, link }: Address, now: number): boolean {
    if (link === undefined) return false
    const servesUntil = linksOf.get(site)?.get(link)
    return servesUntil === undefined || now >= servesUntil
  }

  return {
    publish(key, response, validUntil) {
      const before = published.get(key)
      published.set(
        key,
        before?.response === response ? { ...before, validUntil } : { response, validUntil },
      )
    },
    receive(maker, key, sent, validUntil) {
      const response = receivedResponse(sent, published.get(key)?.response)
      if (!response) return
      published.set(key, { response, validUntil, maker })
      leftOver.delete(key)
    },
    expire(maker) {
      const remembered = urls.keys()
      for (const [key, { response, maker: sender }] of published) {
        if (sender !== maker) continue
        if (remembered.has(key)) {
          published.set(key, { response, validUntil: -Infinity, maker })
          leftOver.add(key)
        } else published.delete(key)
      }
    },
    retire,
    retireSite(site) {
      for (const key of published.keys()) if (isKeyOf(site, key)) retire(key)
      urls.forgetSite(site)
    },
    setLinks(site, servesUntil) {
      linksOf.set(site, servesUntil)
      for (const key of leftOver) if (isKeyOf(site, key)) retire(key)
    },
    remember: urls.remember,
    forget: urls.forget,
    find(url, allowed = 'none') {
      const address = urls.find(url)
      const entry = address && published.get(address.key)
      if (!entry) return undefined
      const now = clock.now()
      if (isEnded(address, now) || !isUsable(entry, allowed, now)) return undefined
      return { address, response: preparedOf(entry, address), now }
    },
  }
}

function isUsable(
  { validUntil }: Pick<Published, 'validUntil'>,
  allowed: Staleness,
  now: number,
): boolean {
  return allowed === 'any' || now < validUntil + (allowed === 'recent' ? recentMs : 0)
}

function preparedOf(entry: Published, { isDownload }: Address): PreparedResponse {
  return isDownload
    ? (entry.download ??= prepareResponse(entry.response, { isDownload }))
    : (entry.inline ??= prepareResponse(entry.response, { isDownload }))
}
