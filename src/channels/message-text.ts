import { boundedLines, messagesFor, type Notice } from './notice.ts'

/** How a service formats text. */
export type TextStyle = {
  /** Escapes text, and prevents mentions. */
  readonly text: (plain: string) => string
  readonly link: (url: string, plain: string) => string
  readonly maxLength: number
  /** Returns the length of formatted text as the service counts it. UTF-16 code units by default. */
  readonly lengthOf?: (formatted: string) => number
}

export function fullTitle(notice: Notice): string {
  return singleLine(messagesFor(notice).titled(notice.siteName, notice.title))
}

/** Returns as many lines as fit, followed by an ellipsis if that is not all of them. */
export function formattedLines(
  notice: Pick<Notice, 'lines' | 'language'>,
  { text, link, maxLength, lengthOf = ({ length }) => length }: TextStyle,
): string {
  let shown = ''
  for (const line of boundedLines(notice)) {
    const plain = singleLine(line.text)
    const formatted = line.url === undefined ? text(plain) : link(line.url, plain)
    const next = shown === '' ? formatted : `${shown}\n${formatted}`
    if (lengthOf(`${next}\n…`) > maxLength) return `${shown}\n…`.trimStart()
    shown = next
  }
  return shown
}

/** Removes control characters, and characters that reverse the text around them. */
function singleLine(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
}

/** Percent-encodes characters that end a URL in one of the formats. */
export function encodedUrl(url: string): string {
  return url.replaceAll(
    /[\s<>()|]/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
