import type { Place } from '../calendar/place.ts'
import { cleanText } from '../records/text.ts'
import type { ItemLinks } from './item-links.ts'

/** The settings of a site that its feeds depend on. */
export type Site = {
  readonly name: string
  /** Origin of the website. */
  readonly url: string
  readonly timeZone: string
  /** The host in all ids, which must never change; see `id-host.ts`. */
  readonly idHost: string
  /** Feedhouse's own origin. */
  readonly publicUrl: string
  readonly links: ItemLinks
  /** Addresses and positions of places that records name. */
  readonly places?: readonly Place[] | undefined
  /** Ids of the feeds that anyone may read. */
  readonly publicFeedIds: readonly string[]
  /** WebSub hubs to notify of changes; every feed names the first one. */
  readonly hubs: readonly string[]
  /** True for a static host, which serves files and ignores query strings. */
  readonly isStatic?: boolean
}

/** Returns the site's name as every format can carry it, or its host name. */
export function nameOf({ name, url }: Pick<Site, 'name' | 'url'>): string {
  return cleanText(name).replace(/\s+/g, ' ').trim() || new URL(url).hostname
}
