import { z } from 'zod'
import { placeKey, type Place } from '../calendar/place.ts'
import { defaultLanguage } from '../records/language.ts'
import { spokenLanguage, tagFor, type Language } from '../records/messages.ts'
import { siteDateAt, type SiteDate } from '../records/site-time.ts'
import { cleanText } from '../text/text.ts'
import type { DatabaseSettings } from './database-settings.ts'
import { identityFrom, type Identity, type IdentitySettings } from './identity.ts'

/** Settings of the website, which Feedhouse cannot read from it. */
export type Website = {
  /** One line of clean text. By default, it is the website's host name. */
  readonly name: string
  /** HTTPS origin. */
  readonly url: string
  /** IANA time zone of the site's dates and times. */
  readonly timeZone: string
  readonly links: ItemLinks
  readonly places?: readonly Place[] | undefined
  readonly databases?: readonly DatabaseSettings[] | undefined
}

/** Settings for publishing: URLs, public feeds and hubs. */
type Publication = {
  /** Host used in all ids. It must never change (see `id-host.ts`). */
  readonly idHost: string
  /** Feedhouse's own origin. */
  readonly publicUrl: string
  readonly publicFeedIds: readonly string[]
  /** WebSub hubs to notify of changes. Each feed advertises the first one. */
  readonly hubs: readonly string[]
}

/** How links between pages keep their language. */
export type PageLanguage = {
  /** Set if the URL selects a language other than the website's. */
  readonly translation?: { readonly to: Language; readonly websiteLanguage: string }
  /** True for a static host, which ignores query strings. */
  readonly isStatic?: boolean
}

/** Properties of a site that depend on the language that a URL selects. */
export type Translated = PageLanguage & {
  /** Language of pages and feeds, as a BCP 47 tag. */
  readonly language: string
  readonly publicUrl: string
}

/** Settings of a site that affect its feeds. */
export type Site = Website &
  Publication &
  Translated & {
    readonly identity: Identity
    /** When each setting that calendar entries show last changed (see `entry-settings.ts`). */
    readonly entrySettingsChangedAt?: Readonly<Record<string, number>> | undefined
    /** Languages on a static host in addition to the website's, each with its own directory. */
    readonly staticLanguages?: readonly Language[] | undefined
  }

export function siteFrom(
  settings: Website & {
    readonly language?: string | undefined
    readonly identity?: IdentitySettings
  },
  published: Publication,
): Site {
  const { url, timeZone, language = defaultLanguage, links, places, databases } = settings
  const cleanName = cleanText(settings.name).replace(/\s+/g, ' ').trim()
  const name = cleanName || new URL(url).hostname
  const identity = identityFrom(settings.identity ?? {}, name, language)
  return { ...published, name, identity, url, timeZone, language, links, places, databases }
}

/**
 * Returns the settings that calendar entries show, by the names that the renderer uses. The public
 * URL is not one of them, because subscriptions use it.
 */
export function settingsInEntries({ language, url, timeZone, ...site }: Site) {
  return new Map<string, unknown>([
    ['all', [language, url, timeZone]],
    ...(site.places ?? []).map((place) => [`place ${placeKey(place.name)}`, place] as const),
    ...Object.entries(site.links).map(([feed, link]) => [`link ${feed}`, link] as const),
    ...(site.databases ?? []).map((each) => [`databases/${each.databaseId}`, each] as const),
  ])
}

/** Returns the site in a language. The default is the website's language. */
export function siteIn<S extends Translated>(site: S, language: Language | undefined): S {
  if (language === undefined || language === spokenLanguage(site.language)) return site
  const translation = { to: language, websiteLanguage: site.language }
  const publicUrl = site.isStatic ? `${site.publicUrl}/${language}` : site.publicUrl
  return { ...site, publicUrl, language: tagFor(language, site.language), translation }
}

export function websiteLanguageOf({ language, translation }: Translated): string {
  return translation?.websiteLanguage ?? language
}

/** Returns the base URL of files that all languages share, such as pictures. */
export function sharedUrl({ publicUrl, translation, isStatic = false }: Translated): string {
  return translation && isStatic ? publicUrl.slice(0, -`/${translation.to}`.length) : publicUrl
}

/** Adds the language to a query string, unless it is the website's or already part of the path. */
export function withLanguage(
  query: string,
  { translation, isStatic = false }: PageLanguage,
): string {
  if (!translation || isStatic) return query
  return `${query === '' ? '' : `${query}&`}lang=${translation.to}`
}

/** Paths of a site's icons, below its public URL. They never change, because feeds contain them. */
export const iconPaths = { large: '/icon-512.png', rss: '/icon-144.png', small: '/icon-32.png' }

export function siteChannel(site: Site) {
  const { url, name } = site
  const at = (path: string) => `${sharedUrl(site)}${path}`
  const { large, rss, small } = iconPaths
  return {
    homeUrl: url,
    author: name,
    // Most of the text comes from the website.
    language: websiteLanguageOf(site),
    icons: { large: at(large), rss: at(rss), small: at(small) },
  }
}

/** Date that pages call "Today". Undefined on a static host, where people may read pages days later. */
export function todayAt(
  { timeZone, isStatic }: { readonly timeZone: string; readonly isStatic?: boolean | undefined },
  now: number,
): SiteDate | undefined {
  return isStatic ? undefined : siteDateAt(now, timeZone)
}

/** URL templates for item pages on the website, by feed. `{id}` stands for the item's id. */
export type ItemLinks = Readonly<Record<string, string>>

const example = 'news=https://www.example.org/news/{id}'

/** Separator before the next feed's URL template. */
const nextLink = /(?<![\s,;])[\s,;]+(?=[a-z]+=https?:)/i

/** Returns a schema for `news=https://… events=https://…`, with spaces or commas as separators. */
export function itemLinksSchema(feedIds: readonly string[]) {
  return z.string().transform((value, context): ItemLinks => {
    const links = new Map<string, string>()
    const fault = (message: string) => context.addIssue({ code: 'custom', message })
    for (const part of value.trim().split(nextLink)) {
      const [, feed = '', url = ''] = /^([a-z]+)=(\S+)$/i.exec(part) ?? []
      if (!isItemLink(url)) fault(`must be like ${example}, not like ${part}`)
      else if (!feedIds.includes(feed))
        fault(`names ${feed}, which is not a feed; the feeds are ${feedIds.join(', ')}`)
      else if (links.has(feed)) fault(`has more than one URL for ${feed}`)
      links.set(feed, url)
    }
    return Object.fromEntries(links)
  })
}

export function itemLink(template: string, id: number): string {
  return new URL(template.replaceAll('{id}', String(id))).href
}

/** Returns true for an https URL without a password whose origin does not depend on the id. */
function isItemLink(template: string): boolean {
  if (!/^https:\/\/[^\s@]+[^,;\s]$/.test(template) || !template.includes('{id}')) return false
  const [one, other] = ['1', '2'].map((id) => template.replaceAll('{id}', id))
  if (one === undefined || other === undefined || !URL.canParse(one)) return false
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
