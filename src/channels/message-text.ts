import { escapeHtml } from '../text/html.ts'
import { boundedLines, cut, messagesFor, type Notice } from './notice.ts'

/** Leaves room for a line even if the message is limited to 300 characters. */
const maxTitle = 120

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
  notice: Notice,
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

/** Prevents @mentions with a similar character. Email addresses stay the same. */
export function withoutMentions(text: string): string {
  return text.replaceAll(/(?<![\p{L}\p{N}])@/gu, '\uFF20')
}

/** Removes control characters, and characters that reverse the text around them. */
function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}

/** Names of settings and time zones, which people copy, and names that would be mentions. */
const names =
  /(?<![\p{L}\p{N}_/.-])(?:[A-Z][A-Z\d]*(?:_[A-Z\d]+)+|[A-Z][A-Za-z]+(?:\/[A-Z][\w+-]*)+)(?![\p{L}\p{N}_/])|(?<![\p{L}\p{N}])@[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu

/** Formats names as code, which services show and copy exactly, and without mentions. */
function withCode(
  plain: string,
  text: (plain: string) => string,
  code: (name: string) => string,
): string {
  let end = 0
  let formatted = ''
  for (const { 0: name, index } of plain.matchAll(names)) {
    if (name.includes('/') && !isTimeZone(name)) continue
    formatted += `${text(plain.slice(end, index))}${code(name)}`
    end = index + name.length
  }
  return `${formatted}${text(plain.slice(end))}`
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export function markdownCode(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``
}

export function escapedMarkdown(plain: string, marks: RegExp): string {
  const escaped = (text: string) => text.replaceAll(marks, (mark) => `\\${mark}`)
  return withCode(plain, escaped, markdownCode)
}

/** Formats text for services that cannot escape the characters of their formatting. */
export function withoutEscapes(plain: string, marks: RegExp): string {
  return plain
    .split(/(\s+)/)
    .map((word) => {
      const isFormatted = marks.test(withCode(word, String, () => ''))
      return isFormatted ? markdownCode(word) : withCode(word, String, markdownCode)
    })
    .join('')
}

/** HTML without code inside other elements, which Telegram does not allow. */
export const htmlStyle = {
  text: (plain: string) => withCode(plain, escapeHtml, (name) => `<code>${name}</code>`),
  title: (plain: string) => `<b>${escapeHtml(withoutMentions(plain))}</b>`,
  link: (url: string, plain: string) =>
    `<a href="${escapeHtml(encodedUrl(url))}">${escapeHtml(withoutMentions(plain))}</a>`,
}

/** Percent-encodes characters that end a URL in one of the formats. */
export function encodedUrl(url: string): string {
  return url.replaceAll(
    /[\s"<>()|]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
