/**
 * Matches characters that are replaced or removed: those that XML 1.0 (2.2) or iCalendar text (RFC
 * 5545 3.1) forbids, line breaks other than `\n`, and those without a meaning or an appearance.
 */
const unclean =
  // oxlint-disable-next-line no-control-regex
  /\r\n?|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u2028\u2029\u2060\ufeff\ufffe\uffff]|\p{Surrogate}/gu

const lineBreaks = '\r\u000b\u000c\u0085\u2028\u2029'

/** The characters of Windows-1252 that are C1 controls in Unicode. Spaces stand for none. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/**
 * Cleans text for all published formats: well-formed, with `\n` as the only line break. Websites
 * send text in Windows-1252 as if it were in Latin-1.
 */
export function cleanText(text: string): string {
  return text.replace(unclean, ([character = '']) => {
    if (lineBreaks.includes(character)) return '\n'
    return windows1252[character.charCodeAt(0) - 0x80]?.trim() ?? ''
  })
}

/** Compares by code unit, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Longest partial word that is removed where text is cut. */
const maxWordEnd = 200

/** Shortens text at a word boundary, unless that would halve it. */
export function shortenedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const start = maxLength - Math.min(Math.ceil(maxLength / 2), maxWordEnd)
  const end = text.slice(start, maxLength).replace(/\s\S*$|[\ud800-\udbff]$/, '')
  return `${text.slice(0, start)}${end}…`
}

/** Returns `a, b and c`. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Joins texts with periods, without doubling the period of a text such as `7:00 p.m.`. */
export function joinedSentences(texts: readonly string[]): string {
  return texts.join('. ').replaceAll(/(?<=[^.]\.)\.(?= )/g, '')
}
