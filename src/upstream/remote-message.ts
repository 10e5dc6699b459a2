import { cleanText } from '../text/text.ts'

const maxCharacters = 200

/** Characters of a text to look at, because another server may send megabytes. */
const maxRead = 10_000

/** Matches characters that set the direction of text, even of the text around them. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Matches possible tokens, which are longer than ordinary words. */
const tokenForm = /[\w+=-]{28,}/g

/** Cleans, redacts and shortens text from another server for display. */
export function sanitizeRemoteMessage(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const plain = cleanText(text.slice(0, maxRead))
    .replace(/\s+/g, ' ')
    .replace(directions, '')
    .replace(tokenForm, '...')
    .trim()
  if (plain === '') return undefined
  return plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}...` : plain
}

/** Returns the title of a web page, possibly empty, or undefined for any other text. */
export function pageTitleFrom(contentType: string, text: string): string | undefined {
  if (
    !/^\s*(?:text\/html|application\/xhtml)/i.test(contentType) &&
    !/^\s*<(?:!doctype|html)/i.test(text)
  ) {
    return undefined
  }
  return sanitizeRemoteMessage(/<title(?:\s[^<>]*)?>([^<]*)/i.exec(text)?.[1]) ?? ''
}
