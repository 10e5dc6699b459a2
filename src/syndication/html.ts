import { LRUCache } from 'lru-cache'
import sanitizeHtml from 'sanitize-html'
import { boundedHtml, escapeHtml } from '../records/bounded-html.ts'
import { hasMarkup } from '../records/plain-text.ts'
import { cleanText } from '../records/text.ts'

export { escapeHtml }

const maxLength = 200_000
const maxNesting = 40
const linkRel = 'noopener noreferrer nofollow'
const linkSchemes = ['http', 'https', 'mailto', 'tel']

/** Sanitizing is expensive, and the same HTML appears in several feeds, formats and pages. */
const maxKeptCharacters = 8 * 1024 * 1024

/** Sanitizes HTML with an allowlist and makes URLs absolute. Plain text becomes paragraphs. */
export function cleanHtml(html: string, baseUrl: string): string {
  const bounded = html.slice(0, maxLength).toWellFormed()
  return cleaned.memo(`${baseUrl} ${bounded}`, { context: { bounded, baseUrl } })
}

const cleaned = new LRUCache<
  string,
  string,
  { readonly bounded: string; readonly baseUrl: string }
>({
  maxSize: maxKeptCharacters,
  sizeCalculation: (result, key) => key.length + result.length,
  memoMethod: (_key, _stale, { context: { bounded, baseUrl } }) => clean(bounded, baseUrl),
})

function clean(bounded: string, baseUrl: string): string {
  if (!hasMarkup(bounded)) return paragraphsFrom(bounded)
  const sanitized = sanitizeHtml(boundedHtml(bounded), {
    allowedTags: allowedTags.split(' '),
    allowedAttributes: {
      a: ['href', 'rel'],
      img: ['src', 'alt', 'width', 'height'],
      ol: ['start'],
      td: ['colspan', 'rowspan'],
      th: ['colspan', 'rowspan'],
    },
    allowedSchemes: linkSchemes,
    allowedSchemesByTag: { img: ['https'] },
    allowProtocolRelative: false,
    nestingLimit: maxNesting,
    nonTextTags: nonTextTags.split(' '),
    transformTags: {
      a: (_tagName, { href }) => linkFrom(href, baseUrl),
      h1: 'h2',
      img: (tagName, attribs) => ({ tagName, attribs: imageAttributes(attribs, baseUrl) }),
    },
    exclusiveFilter: (frame) => frame.tag === 'img' && !frame.attribs['src'],
  })
  return cleanText(sanitized).trim()
}

/** Returns a link in the form that `cleanHtml` keeps. */
export function linkHtml(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}" rel="${linkRel}">${escapeHtml(text)}</a>`
}

/** Matches text that an HTML parser or tag filter could mistake for markup. */
const looksLikeMarkup = /<|&(?:#|[a-z][a-z\d])/i

/**
 * Escapes plain text for fields that some readers treat as text and others as HTML, like an RSS title.
 * Only escapes text that looks like markup, so `AT&T` stays `AT&T`.
 */
export function textOrHtml(text: string): string {
  if (!looksLikeMarkup.test(text)) return text
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const allowedTags =
  'p br hr h2 h3 h4 h5 h6 blockquote pre div span ul ol li dl dt dd table thead tbody tr th td ' +
  'caption a b strong i em u s sub sup code small img figure figcaption'

/** Elements that are removed together with their text, which is not meant for readers. */
const nonTextTags =
  'script style textarea option noscript template iframe svg math xmp noembed noframes title ' +
  'object select'

/** Turns links without a usable target into text, such as fragments, which fail in feeds. */
function linkFrom(href: string | undefined, baseUrl: string): sanitizeHtml.Tag {
  const url = href?.startsWith('#') ? undefined : absoluteUrl(href, baseUrl)
  if (!url || !linkSchemes.includes(url.protocol.slice(0, -1))) {
    return { tagName: 'span', attribs: {} }
  }
  return { tagName: 'a', attribs: { href: url.href, rel: linkRel } }
}

function imageAttributes(attributes: Record<string, string>, baseUrl: string) {
  const { src, alt = '', width = '', height = '' } = attributes
  return {
    src: absoluteUrl(src, baseUrl)?.href ?? '',
    alt,
    ...(/^\d{1,5}$/.test(width) ? { width } : {}),
    ...(/^\d{1,5}$/.test(height) ? { height } : {}),
  }
}

/** Resolves a URL. Links to the website become https, because it does not serve http. */
export function absoluteUrl(given: string | undefined, baseUrl: string): URL | undefined {
  const url = given ? URL.parse(given, baseUrl) : null
  if (!url) return undefined
  if (url.protocol === 'http:' && url.host === new URL(baseUrl).host) url.protocol = 'https:'
  return url
}

/** Converts plain text to HTML, keeping its paragraphs and line breaks. */
export function paragraphsFrom(text: string): string {
  return text
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br />')}</p>`)
    .join('\n')
}
