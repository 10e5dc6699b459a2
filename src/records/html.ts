import { LRUCache } from 'lru-cache'
import { withEncodedFileName } from './file-types.ts'
import { altOf, isBlock, mayBeMarkup, readMarkup, type MarkupSink } from './markup.ts'
import type { Attributes } from './player.ts'
import { cleanText, shortenedText } from './text.ts'

const maxLength = 200_000
const linkRel = 'noopener noreferrer nofollow'
const linkProtocols = ['http:', 'https:', 'mailto:', 'tel:']

/** Sanitizing is expensive, and the same HTML appears in several feeds, formats and pages. */
const maxKeptCharacters = 8 * 1024 * 1024

const cleaned = new LRUCache<string, string, { readonly html: string; readonly baseUrl: string }>({
  maxSize: maxKeptCharacters,
  sizeCalculation: (result, key) => key.length + result.length,
  memoMethod: (_key, _stale, { context: { html, baseUrl } }) => clean(html, baseUrl),
})

/**
 * Returns HTML with nothing but known elements, safe attributes and absolute URLs. Plain text
 * becomes paragraphs.
 */
export function cleanHtml(html: string, baseUrl: string): string {
  if (!mayBeMarkup(html)) return plainHtml(html)
  return cleaned.memo(`${baseUrl} ${html}`, { context: { html, baseUrl } })
}

function clean(html: string, baseUrl: string): string {
  const sink = htmlSink(baseUrl)
  return readMarkup(html, sink) ? sink.result() : plainHtml(html)
}

const plainHtml = (text: string) => paragraphsFrom(shortenedText(text.toWellFormed(), maxLength))

/** Writes only names of elements that it receives, attributes from a list, and escaped text. */
function htmlSink(baseUrl: string): MarkupSink & { readonly result: () => string } {
  const parts: string[] = []
  const open: { readonly name: string; readonly start: number }[] = []
  let length = 0
  let isCut = false
  let lastPicture = { url: '', isFallback: false }

  function write(part: string): void {
    parts.push(part)
    length += part.length
  }

  function text(data: string): void {
    if (length <= maxLength) {
      isCut = length + data.length > maxLength
      parts.push(escapeText(shortenedText(data, maxLength - length)))
    }
    length += data.length
  }

  return {
    open(element, attributes) {
      if (element === 'br' || element === 'hr') return write(`<${element} />`)
      const url = element === 'a' ? linkUrl(attributes['href'], baseUrl) : undefined
      const name = element === 'a' && !url ? 'span' : element
      write(url ? linkStart(url.href) : `<${name}${attributesOf(name, attributes)}>`)
      open.push({ name, start: parts.length })
    },
    close() {
      const { name = '', start = 0 } = open.pop() ?? {}
      if (start === parts.length && !isBlock(name)) parts.pop()
      else write(`</${name}>`)
    },
    text,
    picture(attributes, isFallback) {
      const url = pictureUrl(attributes, baseUrl)
      if (url === undefined) return text(altOf(attributes))
      const isRepeated = url === lastPicture.url && (isFallback || lastPicture.isFallback)
      lastPicture = { url, isFallback }
      if (!isRepeated) write(pictureTag(url, attributes))
    },
    player(address, title) {
      const url = linkUrl(address, baseUrl)?.href
      if (url !== undefined) write(` ${linkHtml(url, title || url)} `)
    },
    isFull: () => length > maxLength,
    result: () => `${parts.join('').trim()}${length > maxLength && !isCut ? '…' : ''}`,
  }
}

/** Returns the URLs of the videos, live streams and recordings in HTML. */
export function playersIn(html: string, baseUrl: string): readonly string[] {
  const urls: string[] = []
  readMarkup(html, {
    ...htmlSink(baseUrl),
    player: (address) => void urls.push(linkUrl(address, baseUrl)?.href ?? ''),
  })
  return urls.filter((url) => url !== '')
}

/** Returns a link in the form that `cleanHtml` keeps. */
export function linkHtml(url: string, text: string): string {
  return `${linkStart(url)}${escapeHtml(text)}</a>`
}

function linkStart(url: string): string {
  return `<a href="${escapeHtml(url)}" rel="${linkRel}">`
}

function attributesOf(name: string, attributes: Attributes): string {
  const names = name === 'ol' ? ['start'] : name === 'td' || name === 'th' ? spans : []
  return numbers(names, attributes)
}

const spans = ['colspan', 'rowspan']

function numbers(names: readonly string[], attributes: Attributes): string {
  return names
    .filter((name) => /^\d{1,5}$/.test(attributes[name] ?? ''))
    .map((name) => ` ${name}="${attributes[name]}"`)
    .join('')
}

function pictureTag(url: string, attributes: Attributes): string {
  const alt = cleanText(attributes['alt'] ?? '')
  const size = numbers(['width', 'height'], attributes)
  return `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}"${size} />`
}

/**
 * Returns the URL of a picture, or undefined if it cannot be shown. Pages that load pictures late
 * have a placeholder in `src`.
 */
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

/** Resolves a URL. Links to the website become https, because it does not serve http. */
export function absoluteUrl(given: string | undefined, baseUrl: string): URL | undefined {
  const url = given ? URL.parse(withEncodedFileName(given), baseUrl) : null
  if (!url) return undefined
  if (url.protocol === 'http:' && url.host === new URL(baseUrl).host) url.protocol = 'https:'
  return url
}

export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;')
}

function escapeText(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text
}

/** Converts plain text to HTML, keeping its paragraphs and line breaks. */
export function paragraphsFrom(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}
