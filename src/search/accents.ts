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

/** Maximum number of marks after a letter. No real letter has as many. */
const maxMarks = 16

const manyMarks = new RegExp(`(${marks}{${maxMarks}})${marks}+`, 'gu')

/** Matches a character that combines with the one before it. */
export const joined = /[\p{M}\uff9e\uff9f\u0640\u00ad\u200b-\u200d\u2060]/u
