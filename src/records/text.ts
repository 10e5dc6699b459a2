// Not allowed in XML 1.0 (2.2) or in iCalendar text (RFC 5545 3.1), or of no meaning in either:
// C0 but tab and line feed, DEL, C1, and the two non-characters at the end of the BMP.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g

/** Of a character that was cut in two, as by a limit of the website. */
const halfCharacter = /\p{Surrogate}/gu

/** Text that every published format can carry: well-formed, `\n` as the only line break. */
export function cleanText(text: string): string {
  return text.replace(halfCharacter, '').replace(/\r\n?/g, '\n').replace(unprintable, '')
}

/** The order of code units: the same everywhere. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
