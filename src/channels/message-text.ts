import { escapeHtml } from '../records/bounded-html.ts'
import { boundedLines, cut, messagesFor, type Notice } from './notice.ts'

/** Leaves room for a line even if the message is limited to 300 characters. */
const maxTitle = 120

/** How a service formats text. */
export type TextStyle = {
  /** Escapes text, and prevents mentions. */
  readonly text: (plain: string) => string
  readonly link: (url: string, plain: string) => string
  readonly maxLength: number
  readonly maxLineLength?: number
  /** Returns the length of formatted text as the service counts it. UTF-16 code units by default. */
  readonly lengthOf?: (formatted: string) => number
}

/** Returns the title, as many lines as fit, and a link to the page. */
export function messageText(
  notice: Notice,
  style: TextStyle & { readonly title?: (plain: string) => string },
): string {
  const { text, link, title = text, maxLength, lengthOf = utf16Length } = style
  const head = title(shortTitle(notice))
  const tail = link(notice.url, messagesFor(notice).openFeedhouse)
  const remaining = maxLength - lengthOf(`${head}\n\n${tail}`)
  const lines = formattedLines(notice, { ...style, maxLength: remaining })
  return [head, lines, tail].filter((part) => part !== '').join('\n')
}

export function shortTitle(notice: Notice): string {
  return cut(singleLine(messagesFor(notice).titled(notice.siteName, notice.title)), maxTitle)
}

/** Returns as many lines as fit, followed by an ellipsis if any are left out. */
export function formattedLines(
  notice: Pick<Notice, 'lines' | 'language'>,
  { text, link, maxLength, maxLineLength, lengthOf = utf16Length }: TextStyle,
): string {
  let shown = ''
  for (const line of boundedLines(notice, maxLineLength)) {
    const plain = singleLine(line.text)
    const formatted = line.url === undefined ? text(plain) : link(line.url, plain)
    const next = shown === '' ? formatted : `${shown}\n${formatted}`
    if (lengthOf(`${next}\n…`) > maxLength) return `${shown}\n…`.trimStart()
    shown = next
  }
  return shown
}

function utf16Length({ length }: string): number {
  return length
}

/** Text with its URL, for services without formatting. */
export const plainStyle = {
  text: withoutMentions,
  link: (url: string, text: string) => `${withoutMentions(text)} ${encodedUrl(url)}`,
}

/** Prevents @mentions. Email addresses stay the same. */
export function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}_])@/gu, '@\u200B')
}

/**
 * Removes control characters, and characters that reverse the text around them. Adds an
 * invisible character if the start would format a line as a heading, quote or list.
 */
function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .replace(/^(?=[-+#>=]|\d+[.)])/, '\u200B')
}

const html = (text: string) => escapeHtml(withoutMentions(text))

export const htmlStyle = {
  text: html,
  title: (text: string) => `<b>${html(text)}</b>`,
  link: (url: string, text: string) => `<a href="${escapeHtml(encodedUrl(url))}">${html(text)}</a>`,
}

/** Percent-encodes characters that end a URL in one of the formats. */
export function encodedUrl(url: string): string {
  return url.replaceAll(
    /[\s"<>()|]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
