import { languageParameter, readLanguageOption } from '../feeds/feed-options.ts'
import {
  sharedUrl,
  websiteLanguageOf,
  withLanguage,
  type PageLanguage,
  type Site,
  type Translated,
} from '../feeds/site.ts'
import { languageFrom } from '../records/language.ts'
import { languageNames, languages, spokenLanguage, type Language } from '../records/messages.ts'
import { queryOf } from './urls.ts'
import { BadOption } from './errors.ts'

/** Returns the language in a query, or undefined for the website's. Throws `BadOption` if it is unknown. */
export function readLanguage(
  query: URLSearchParams,
  site: { readonly language: string },
): Language | undefined {
  const reading = readLanguageOption(query, site)
  if (!reading.ok) throw new BadOption(reading.reason)
  return reading.language
}

/** Returns the language in a URL. Returns undefined if it is the website's, missing or unknown. */
export function languageForMessages(url: string, { language }: Site) {
  const named = languageIn(queryOf(url).get(languageParameter) ?? '')
  return named === spokenLanguage(language) ? undefined : named
}

/** Returns the language of a tag, which may have a region, or undefined if it is unknown. */
export function languageIn(tag: string): Language | undefined {
  const [language] = languageFrom(tag)?.split('-') ?? []
  return languages.find((each) => each === language)
}

export type PageAddress = { readonly path: string; readonly query: URLSearchParams }

/** URL parameters that do not affect the content. */
const passing: readonly string[] = [languageParameter, 'saved']

/** Maximum number of parameters in links to a page's translations. Only made-up URLs have more. */
const maxKept = 100

/**
 * Returns links to a page in each language, with its options, and the URLs without them for search
 * engines. On a static host, each translation has its own path.
 */
export function languageLinks(
  { path, query }: PageAddress,
  site: Translated & { readonly staticLanguages?: readonly Language[] | undefined },
) {
  const websites = spokenLanguage(websiteLanguageOf(site))
  const current = site.translation?.to ?? websites
  const { isStatic = false, staticLanguages = [] } = site
  if (isStatic && staticLanguages.length === 0) return []
  const offered = languages.filter(
    (language) => !isStatic || language === websites || staticLanguages.includes(language),
  )
  const root = sharedUrl(site)
  return offered.map((language) => {
    const about = { language, name: languageNames[language], isCurrent: language === current }
    if (isStatic) {
      const absoluteUrl = `${root}${language === websites ? '' : `/${language}`}${path}`
      return { ...about, url: new URL(absoluteUrl).pathname, absoluteUrl }
    }
    const named: [string, string][] = language === websites ? [] : [[languageParameter, language]]
    const kept = [...query].filter(([name]) => !passing.includes(name)).slice(0, maxKept)
    return {
      ...about,
      url: `${path.slice(path.lastIndexOf('/') + 1) || './'}${searchOf([...kept, ...named])}`,
      absoluteUrl: `${root}${path}${searchOf(named)}`,
    }
  })
}

function searchOf(parameters: readonly [string, string][]): string {
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
}

/** Keeps the language of pages in links to the site's own pages and files. */
export type PageLinks = {
  /** Returns the URL in the page's language. */
  readonly linkTo: (url: string) => string
  /** HTML of a field for forms with GET, for which browsers replace the query string. */
  readonly languageField: string
}

export function pageLinks(site: PageLanguage): PageLinks {
  const query = withLanguage('', site)
  if (query === '') return { linkTo: (url) => url, languageField: '' }
  return {
    linkTo(url) {
      const [address = '', ...fragment] = url.split(/(?=#)/)
      const separator = address.endsWith('?') ? '' : address.includes('?') ? '&' : '?'
      return `${address}${separator}${query}${fragment.join('')}`
    },
    languageField: `<input type="hidden" name="${languageParameter}" value="${site.translation?.to}">`,
  }
}
