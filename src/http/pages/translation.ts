import { languageParameter, readLanguageOption } from '../../feeds/feed-options.ts'
import { sharedUrl, withLanguage, type Site, type Translated } from '../../feeds/site.ts'
import { languageNames, languages, spokenLanguage, type Language } from '../../records/messages.ts'
import { queryOf } from '../server/urls.ts'
import { BadOption } from '../responses/errors.ts'

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
  const text = queryOf(url).get(languageParameter)
  const named = languages.find((each) => each === text)
  return named === spokenLanguage(language) ? undefined : named
}

export type PageAddress = { readonly path: string; readonly query: URLSearchParams }

/** URL parameters that do not affect the content. */
const passing: readonly string[] = [languageParameter, 'saved']

/**
 * Returns links to a page in each language, with its options, and the URLs without them for search
 * engines. On a static host, each translation has its own path.
 */
export function languageLinks(
  { path, query }: PageAddress,
  site: Translated & Pick<Site, 'staticLanguages'>,
) {
  const websites = spokenLanguage(site.translation?.websiteLanguage ?? site.language)
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
    const kept = [...query].filter(([name]) => !passing.includes(name))
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

/** Matches start tags in Feedhouse's markup, whose attributes never contain a bare "<". */
const tags = /<(a|form|iframe)\s(?:[^<>"]|"[^"<]*")*>/g

/** Matches the URL of an element. */
const urlAttribute = /\s(href|action|src)="([^"]*)"/

/** `publicUrls` are those of the sites whose pages are translated. */
export function withTranslatedLinks(
  html: string,
  site: Translated,
  basePath: string,
  publicUrls: readonly string[] = [site.publicUrl],
): string {
  const query = withLanguage('', site)
  if (query === '') return html
  const field = `<input type="hidden" name="${languageParameter}" value="${site.translation?.to}">`
  return html.replaceAll(tags, (tag, element: string) => {
    const [attribute = '', name, url] = urlAttribute.exec(tag) ?? []
    const isTranslation = url === undefined || /\shreflang="/.test(tag)
    if (isTranslation || !isOwnPage(url, basePath, publicUrls)) return tag
    // Browsers replace the query string of a form that uses GET.
    if (element === 'form' && !/\smethod="post"/i.test(tag)) return `${tag}${field}`
    return tag.replace(attribute, () => ` ${name}="${withQuery(url, query)}"`)
  })
}

function isOwnPage(url: string, basePath: string, publicUrls: readonly string[]): boolean {
  if (url.startsWith('#') || /[?;&]lang=/.test(url)) return false
  if (url.startsWith('/')) return url.startsWith(`${basePath}/`) && !url.startsWith('//')
  const isRelative = !/^[a-z][a-z\d+.-]*:/i.test(url)
  return isRelative || publicUrls.some((publicUrl) => url.startsWith(`${publicUrl}/`))
}

function withQuery(url: string, query: string): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#?.*)$/s.exec(url) ?? []
  const separator = address.includes('?') ? (address.endsWith('?') ? '' : '&amp;') : '?'
  return `${address}${separator}${query}${fragment}`
}
