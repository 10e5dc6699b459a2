import type { Clock } from '../../clock.ts'
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
   * so this drops its responses from before a restart, which may no longer be public.
   */
  readonly setLinks: (site: string, servesUntil: ReadonlyMap<string, number>) => void
  readonly remember: (url: string, address: Address) => void
  /** Returns the public responses of maker processes, to restore them after a restart. */
  readonly saved: () => readonly SavedResponse[]
  /** Adds outdated responses from before a restart, until their site has started. */
  readonly restore: (responses: readonly SavedResponse[]) => void
  /**
   * Returns the response for a URL and the current time, or undefined if it must be rendered first.
   * `allowed` also permits responses that are no longer valid, but never those of ended links.
   */
  readonly find: (url: string, allowed?: Staleness) => FoundResponse | undefined
}

/** A public response, with the URLs under which it is remembered. */
export type SavedResponse = {
  readonly key: string
  readonly response: PublishedResponse
  readonly addresses: readonly (readonly [url: string, address: Address])[]
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
  /** The site of a response from before a restart. */
  readonly restoredFor?: string | undefined
  inline?: PreparedResponse
  download?: PreparedResponse
}

/** Creates the table of published responses. The maker bounds their size, this table their URLs. */
export function createPublishedResponses(clock: Pick<Clock, 'now'>): PublishedResponses {
  const published = new Map<string, Published>()
  const linksOf = new Map<string, ReadonlyMap<string, number>>()
  const urls = createRememberedUrls()

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
      if (response) published.set(key, { response, validUntil, maker })
    },
    expire(maker) {
      const remembered = urls.keys()
      for (const [key, { response, maker: sender }] of published) {
        if (sender !== maker) continue
        // The next process does not know which responses to retire.
        if (remembered.has(key)) published.set(key, { response, validUntil: -Infinity, maker })
        else published.delete(key)
      }
    },
    retire: (key) => void published.delete(key),
    retireSite(site) {
      for (const key of published.keys()) if (isKeyOf(site, key)) published.delete(key)
      urls.forgetSite(site)
    },
    setLinks(site, servesUntil) {
      linksOf.set(site, servesUntil)
      for (const [key, { restoredFor }] of published)
        if (restoredFor === site) published.delete(key)
    },
    remember: urls.remember,
    saved() {
      const open = urls.entries().filter(([, { link }]) => link === undefined)
      return [...Map.groupBy(open, ([, { key }]) => key)].flatMap(([key, known]) => {
        const { response, maker } = published.get(key) ?? {}
        return response && maker !== undefined ? [{ key, response, addresses: known }] : []
      })
    },
    restore(responses) {
      for (const { key, response, addresses } of responses) {
        const restoredFor = addresses[0]?.[1].site
        published.set(key, { response, validUntil: -Infinity, restoredFor })
        for (const [url, address] of addresses) urls.remember(url, address)
      }
    },
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
