import { cleanText } from '../records/text.ts'

const maxCharacters = 200

/** Nothing that a person wrote is as long in one piece; a token is. */
const tokenForm = /[\w+=-]{28,}/g

/** What somebody else's server says in its own words, for people to read and nothing else. */
export function sanitizeRemoteMessage(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const plain = cleanText(text).replace(/\s+/g, ' ').replace(tokenForm, '...').trim()
  if (plain === '') return undefined
  return plain.length > maxCharacters ? `${plain.slice(0, maxCharacters)}...` : plain
}

/** The title of a web page, empty where it has none; undefined for what is no web page. */
export function pageTitleFrom(contentType: string, text: string): string | undefined {
  if (
    !/^\s*(?:text\/html|application\/xhtml)/i.test(contentType) &&
    !/^\s*<(?:!doctype|html)/i.test(text)
  ) {
    return undefined
  }
  return sanitizeRemoteMessage(/<title[^>]*>([^<]*)/i.exec(text)?.[1]) ?? ''
}
