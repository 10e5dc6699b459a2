import { lintComponents } from './component-lint.ts'

/* Finds what parsers miss: most of them accept nearly any input and misread some of it. */

/** Returns all violations of RFC 5545 in a calendar. */
export function lintCalendar(bytes: Buffer): readonly string[] {
  return [...lintBytes(bytes), ...lintComponents(contentLines(bytes))]
}

function lintBytes(bytes: Buffer): readonly string[] {
  const text = bytes.toString('utf8')
  const physicalLines = text.split('\r\n')
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/ // oxlint-disable-line no-control-regex
  return [
    !text.startsWith('BEGIN:VCALENDAR\r\n') && 'does not begin with VCALENDAR',
    !text.endsWith('END:VCALENDAR\r\n') && 'does not end with END:VCALENDAR and CRLF',
    !Buffer.from(text).equals(bytes) && 'is not UTF-8, or is folded inside a character',
    text.includes('\ufffd') && 'has replacement characters',
    /(?:^|[^\r])\n|\r(?!\n)/.test(text) && 'has a line break that is not CRLF',
    control.test(text) && 'has a control character',
    physicalLines.some((line) => Buffer.byteLength(line) > 75) && 'has a line over 75 octets',
    physicalLines.slice(0, -1).includes('') && 'has an empty line',
    isFoldedInACharacter(bytes) && 'is folded inside a character',
  ].filter((fault) => fault !== false)
}

function isFoldedInACharacter(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('\r\n '); at >= 0; at = bytes.indexOf('\r\n ', at + 1)) {
    if (((bytes[at + 3] ?? 0) & 0xc0) === 0x80) return true
  }
  return false
}

function contentLines(bytes: Buffer): readonly string[] {
  return bytes.toString('utf8').replaceAll('\r\n ', '').split('\r\n').slice(0, -1)
}
