// Characters that XML 1.0 (2.2) or iCalendar text (RFC 5545 3.1) forbids, or that have no meaning
// in either: C0 except tab and line feed, DEL, C1, and the two noncharacters at the end of the BMP.
// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g

/** Half of a surrogate pair, left over where the website truncated text. */
const halfCharacter = /\p{Surrogate}/gu

/** Cleans text for all published formats: well-formed, with `\n` as the only line break. */
export function cleanText(text: string): string {
  return text.replace(halfCharacter, '').replace(/\r\n?/g, '\n').replace(unprintable, '')
}

/** Compares by code unit, so that the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Removes accents and invisible characters, and replaces compatibility characters like ligatures
 * (Unicode NFKD). Marks that are vowels or other letters are kept, as in Devanagari and Thai.
 */
export function withoutAccents(text: string): string {
  // Sorting thousands of marks after a single letter would take seconds.
  return withFewMarks(withFewMarks(text).normalize('NFKD'))
}

const withFewMarks = (text: string) =>
  mayHaveMarks.test(text) ? text.replace(accents, '').replace(manyMarks, '$1') : text

/** Fast check that excludes most texts in Latin script. */
const mayHaveMarks = /[\u0300-\u200f\u2060-\uffff\u00ad]/

/**
 * Matches marks in scripts in which they are accents, and characters that only affect appearance:
 * the Arabic tatweel, the soft hyphen and zero-width characters. Inherited marks belong to any
 * script; two of them change the sound of Japanese letters.
 */
const accents =
  /[[\p{M}&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u3099\u309a]]|[\u0640\u00ad\u200b-\u200d\u2060]/gv

/** Marks, including those for half-width Japanese letters. */
const marks = '[\\p{M}\uff9e\uff9f]'

/** More marks than any letter has. */
const maxMarks = 16

const manyMarks = new RegExp(`(${marks}{${maxMarks}})${marks}+`, 'gu')

/** Matches a character that combines with the one before it. */
export const joined = /[\p{M}\uff9e\uff9f\u0640\u00ad\u200b-\u200d\u2060]/u

/** Shortens text at a word boundary, unless that would halve it. */
export function shortenedText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const cut = text.slice(0, maxLength)
  const space = cut.search(/\s\S*$/)
  return `${(space > maxLength / 2 ? cut.slice(0, space) : cut).replace(/\p{Surrogate}$/u, '')}…`
}

/** Returns `a, b and c`. */
export function listInWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Joins texts with periods, without doubling the period of a text such as `7:00 p.m.`. */
export function joinedSentences(texts: readonly string[]): string {
  return texts.join('. ').replaceAll(/(?<=[^.]\.)\.(?= )/g, '')
}
