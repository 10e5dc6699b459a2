import { compile } from 'html-to-text'
import { boundedHtml } from './bounded-html.ts'
import { cleanText } from './text.ts'

const maxInputLength = 200_000
const maxDepth = 60

const markup = /<[a-z!/][^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

const linkSchemes = ['http:', 'https:', 'tel:']

const convert = converter({ ignoreHref: true })
// The type definitions of html-to-text lack the metadata argument.
const convertWithLinks = converter({
  hideLinkHrefIfSameAsText: true,
  linkBrackets: false,
  pathRewrite: readableAddress,
}) as (html: string, metadata: { readonly baseUrl: string }) => string

export function hasMarkup(text: string): boolean {
  return markup.test(text)
}

/** Converts possible HTML to plain text. Text without markup keeps its line breaks. */
export function plainTextFromHtml(html: string): string {
  const bounded = html.slice(0, maxInputLength).toWellFormed()
  return hasMarkup(bounded) ? cleanText(convert(boundedHtml(bounded))).trim() : bounded
}

/** Length limit for single-line fields such as titles, names and locations. */
const maxLineLength = 10_000

/** Like `plainTextFromHtml`, on a single line. */
export function oneLine(html: string): string {
  return plainTextFromHtml(html.slice(0, maxLineLength)).replace(/\s+/g, ' ').trim()
}

/** Like `plainTextFromHtml`, with each link's absolute URL after its text. */
export function plainTextWithLinks(html: string, baseUrl: string): string {
  const bounded = html.slice(0, maxInputLength).toWellFormed()
  if (!hasMarkup(bounded)) return bounded
  return cleanText(convertWithLinks(boundedHtml(bounded), { baseUrl })).trim()
}

function converter(linkOptions: object) {
  return compile({
    wordwrap: false,
    limits: { maxDepth },
    selectors: [
      { selector: 'a', options: linkOptions },
      { selector: 'img', format: 'skip' },
      { selector: 'ul', options: { itemPrefix: '- ' } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
    ],
  })
}

/** Returns an empty string for a URL that readers cannot use. `html-to-text` strips `mailto:` beforehand. */
function readableAddress(address: string, { baseUrl }: { readonly baseUrl: string }): string {
  if (/^[^/:]+@[^/:]+$/.test(address)) return address
  if (address.startsWith('#') || !URL.canParse(address, baseUrl)) return ''
  const url = new URL(address, baseUrl)
  return linkSchemes.includes(url.protocol) ? url.href : ''
}
