import { compile } from 'html-to-text'

const maxInputLength = 200_000
const maxDepth = 60

const markup = /<[a-z!/][^>]*>|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/i

const convert = compile({
  wordwrap: false,
  limits: { maxDepth },
  selectors: [
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false },
    })),
  ],
})

/** Whether a field that may contain HTML does. */
export function hasMarkup(text: string): boolean {
  return markup.test(text)
}

/** Readable text of a field that may contain HTML; text without markup keeps its line breaks. */
export function plainTextFromHtml(html: string): string {
  const bounded = html.slice(0, maxInputLength).toWellFormed()
  return hasMarkup(bounded) ? convert(bounded).trim() : bounded
}
