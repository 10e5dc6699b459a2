import { LRUCache } from 'lru-cache'
import { withEncodedFileName } from './file-types.ts'
import { altOf, isBlock, mayBeMarkup, readMarkup } from './markup.ts'
import type { Attributes } from './players.ts'
import { shortenedText } from './text.ts'

const maxLength = 200_000
const linkRel = 'noopener noreferrer nofollow'
const linkProtocols = ['http:', 'https:', 'mailto:', 'tel:']

/** Sanitizing is expensive, and the same HTML appears in several feeds, formats and pages. */
const maxKeptCharacters = 8 * 1024 * 1024

const cleaned = new LRUCache<string, string, { readonly html: string; readonly baseUrl: string }>({
  maxSize: maxKeptCharacters,
  sizeCalculation: (result, key) => key.length + result.length,
  memoMethod: (_key, _stale, { context: { html, baseUrl } }) => htmlFrom(html, baseUrl),
})

/** Keeps only known elements, safe attributes and absolute URLs. Plain text becomes paragraphs. */
export function cleanHtml(html: string, baseUrl: string): string {
  if (!mayBeMarkup(html)) return plainHtml(html)
  // A few long keys would displace all others.
  if (html.length > maxLength) return htmlFrom(html, baseUrl)
  return cleaned.memo(`${baseUrl} ${html}`, { context: { html, baseUrl } })
}

const plainHtml = (text: string) => paragraphsFrom(shortenedText(text.toWellFormed(), maxLength))

/** Writes only names of elements that it receives, attributes from a list, and escaped text. */
function htmlFrom(given: string, baseUrl: string): string {
  let html = ''
  let isCut = false
  let lastPicture = { url: '', isFallback: false }

  const isFull = () => isCut || html.length > maxLength

  function write(part: string): undefined {
    html += part
  }

  function addText(text: string): undefined {
    if (isFull()) return
    const shown = shortenedText(text, maxLength - html.length)
    isCut = shown !== text
    html += escapeText(shown)
  }

  function addPicture(attributes: Attributes, isFallback: boolean): undefined {
    const url = pictureUrl(attributes, baseUrl)
    if (url === undefined) return addText(altOf(attributes))
    const isRepeated = url === lastPicture.url && (isFallback || lastPicture.isFallback)
    lastPicture = { url, isFallback }
    const alt = escapeHtml(attributes['alt'] ?? '')
    if (!isRepeated)
      write(`<img src="${escapeHtml(url)}" alt="${alt}"${numbers('img', attributes)} />`)
  }

  function add(name: string, attributes: Attributes): (() => void) | undefined {
    if (isFull()) return undefined
    if (name === 'br' || name === 'hr') return write(`<${name} />`)
    if (name === 'img') return addPicture(attributes, false)
    if (name === 'fallback') return addPicture(attributes, true)
    const { href, title = '' } = attributes
    const url = name === 'a' || name === 'player' ? linkUrl(href, baseUrl)?.href : undefined
    if (name === 'player') return url ? write(` ${linkHtml(url, title || url)} `) : undefined
    const element = name === 'a' && !url ? 'span' : name
    const start = url ? linkStart(url) : `<${element}${numbers(element, attributes)}>`
    const before = html
    write(start)
    const { length } = html
    return () => {
      html = html.length > length || isBlock(name) ? `${html}</${element}>` : before
    }
  }

  if (!readMarkup(given, { add, addText, isFull })) return plainHtml(given)
  return isFull() && !isCut ? `${html.trim()}…` : html.trim()
}

/** Returns the URLs of the videos, live streams and recordings in HTML. */
export function playersIn(html: string, baseUrl: string): readonly string[] {
  const urls: string[] = []
  let length = 0
  readMarkup(html, {
    add(name, { href }) {
      const url = name === 'player' ? linkUrl(href, baseUrl) : undefined
      if (url) urls.push(url.href)
      return undefined
    },
    addText(text) {
      length += text.length
    },
    isFull: () => length > maxLength,
  })
  return urls
}

/** Returns a link in the form that `cleanHtml` keeps. */
export function linkHtml(url: string, text: string): string {
  return `${linkStart(url)}${escapeHtml(text)}</a>`
}

const linkStart = (url: string) => `<a href="${escapeHtml(url)}" rel="${linkRel}">`

const spans = 'colspan rowspan'
const numeric: Attributes = { img: 'width height', ol: 'start', td: spans, th: spans }

function numbers(element: string, attributes: Attributes): string {
  const names = numeric[element]?.split(' ')
  const given = names?.filter((name) => /^\d{1,5}$/.test(attributes[name] ?? ''))
  return given?.map((name) => ` ${name}="${attributes[name]}"`).join('') ?? ''
}

/** Lazy-loaded pictures have a placeholder in `src`. */
function pictureUrl(attributes: Attributes, baseUrl: string): string | undefined {
  const { src, srcset = attributes['data-srcset'] ?? '' } = attributes
  // The URLs may contain commas.
  const [largest] = srcset
    .split(/,\s+|(?<=\d[wx]),/)
    .map((candidate) => candidate.trim().split(/\s+/))
    .toSorted(([, a = ''], [, b = '']) => (Number.parseFloat(b) || 1) - (Number.parseFloat(a) || 1))
  const lazy = attributes['data-src'] ?? attributes['data-lazy-src'] ?? attributes['data-original']
  return [lazy, src, largest?.[0]]
    .map((address) => absoluteUrl(address, baseUrl))
    .find((url) => url?.protocol === 'https:')?.href
}

/** Returns the URL of a link, or undefined for targets like fragments, which fail in feeds. */
export function linkUrl(href: string | undefined, baseUrl: string): URL | undefined {
  const url = href?.startsWith('#') ? undefined : absoluteUrl(href, baseUrl)
  return url && linkProtocols.includes(url.protocol) ? url : undefined
}

/** Resolves a URL. With an https base, http links to the same host become https, because the website does not serve http. */
export function absoluteUrl(given: string | undefined, baseUrl: string): URL | undefined {
  const url = given ? URL.parse(withEncodedFileName(given), baseUrl) : null
  const base = new URL(baseUrl)
  const isUpgraded = url?.protocol === 'http:' && base.protocol === 'https:'
  if (isUpgraded && url.host === base.host) url.protocol = 'https:'
  return url ?? undefined
}

export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Converts plain text to HTML, keeping its paragraphs and line breaks. */
export function paragraphsFrom(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}
