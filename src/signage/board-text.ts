/*
 * Fits text into boards. Widths are in em, so that they apply to any type size. Browsers run this
 * file with the widths of their own fonts.
 */

/** Returns the width of text on one line. */
export type WidthOf = (text: string, isBold: boolean) => number

export type TextFit = {
  /** Number of lines that text takes. Words that are wider than a line continue on the next one. */
  readonly lines: (text: string, width: number, isBold?: boolean) => number
  readonly width: (text: string, isBold?: boolean) => number
  readonly longestWord: (text: string, isBold?: boolean) => number
}

/** Browsers may space characters differently in a line than in words measured one by one. */
const margin = 1.02
const maxTexts = 500

/** Creates a fit that caches the widths of texts and of the words in them. */
export function createTextFit(widthOf: WidthOf): TextFit {
  const regular = createWeight((text) => widthOf(text, false) * margin)
  const bold = createWeight((text) => widthOf(text, true) * margin)
  return {
    lines: (text, width, isBold = false) => (isBold ? bold : regular).lines(text, width),
    width: (text, isBold = false) => (isBold ? bold : regular).widthOf(text),
    longestWord: (text, isBold = false) => (isBold ? bold : regular).longestWord(text),
  }
}

/** A word with its width. */
export type Word = { readonly word: string; readonly own: number }

function createWeight(measure: (text: string) => number) {
  const widthOf = remembered(measure)
  const paragraphsOf = remembered((text) =>
    text.split('\n').map((line) => wordsIn(line).map((word) => ({ word, own: measure(word) }))),
  )
  const piecesOf = remembered((word) => piecesIn(word).map((piece) => measure(piece)))
  return {
    widthOf,
    lines(text: string, width: number): number {
      const space = widthOf(' ')
      const parts = ({ word, own }: Word): readonly number[] =>
        own > width ? piecesOf(word) : [own]
      return paragraphsOf(text).reduce((sum, words) => {
        return sum + linesFor(words.map(parts), width, space)
      }, 0)
    },
    longestWord: remembered((text) =>
      Math.max(0, ...paragraphsOf(text).flatMap((words) => words.map(({ own }) => own))),
    ),
  }
}

/** Remembers the results for a limited number of texts. */
function remembered<T>(resultOf: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const result = known.get(text) ?? resultOf(text)
    if (known.size >= maxTexts && !known.has(text)) known.clear()
    known.set(text, result)
    return result
  }
}

const wordsIn = (line: string): readonly string[] =>
  line.split(/[ \t\r\f]+/).filter((word) => word !== '')

const opening = '（〔［｛〈《「『【'
/** Includes small letters and signs, which cannot start a line either. */
const closing = '）〕］｝〉》」』】、。，．！？ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮー々'
const eastAsian = '\\u2e80-\\ua4cf\\uac00-\\ud7af\\uf900-\\ufaff\\uff00-\\uff60'
const pieces = new RegExp(
  `[${opening}]*(?:(?![${closing}])[${eastAsian}]|[^${eastAsian}]+)?[${closing}]*`,
  'g',
)

/**
 * Splits a word that is wider than a line where browsers break it: between Chinese, Japanese and
 * Korean characters with their punctuation, and around other text. If a word contains only other
 * text, any of its characters can start a line.
 */
function piecesIn(word: string): readonly string[] {
  const found = (word.match(pieces) ?? []).filter((piece) => piece !== '')
  return found.length > 1 ? found : charactersOf(word)
}

/** Returns the number of lines that words need. Each word is a list of the widths of its pieces. */
function linesFor(words: readonly (readonly number[])[], width: number, space: number): number {
  let lines = 1
  let used = 0
  for (const pieces of words) {
    const whole = pieces.reduce((sum, piece) => sum + piece, 0)
    const isNewLine = used > 0 && used + space + whole > width
    if (isNewLine) lines += 1
    used = isNewLine || used === 0 ? 0 : used + space
    for (const piece of pieces) {
      const isBroken = used > 0 && used + piece > width
      const more = Number(isBroken) + Math.max(0, Math.ceil(piece / width) - 1)
      lines += more
      used = isBroken ? piece - (more - 1) * width : used + piece - more * width
    }
  }
  return lines
}

/**
 * Returns the start of a text that meets a condition: as many whole words as possible, or
 * characters of the first word if even that word does not.
 */
export function startThatFits(text: string, fits: (start: string) => boolean): string {
  const ends = [...text.matchAll(/\S+/g)].map(({ index, 0: word }) => index + word.length)
  const count = largestCount(ends.length, (words) => fits(text.slice(0, ends[words - 1])))
  if (count > 0) return text.slice(0, ends[count - 1])
  const characters = charactersOf(text.slice(0, ends[0] ?? 0))
  const shown = largestCount(characters.length, (length) =>
    fits(characters.slice(0, length).join('')),
  )
  return characters.slice(0, Math.max(1, shown)).join('')
}

const segmenter = new Intl.Segmenter()

const charactersOf = (text: string): readonly string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment)

/** Returns the largest count up to a maximum that meets a condition, or 0. */
function largestCount(max: number, fits: (count: number) => boolean): number {
  let low = 0
  let high = max
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Shortens text at the end of a word, so that it fits. */
export function shortenedToFit(text: string, fits: (start: string) => boolean): string {
  if (text === '' || fits(text)) return text
  const start = startThatFits(text, (each) => fits(withEllipsis(each)))
  return withEllipsis(start)
}

const withEllipsis = (text: string) => `${/^[^]*[^\s.,;:!?…–—-]/u.exec(text)?.[0] ?? ''}…`

/**
 * Splits text into parts of similar lengths that each meet a condition, after sentences where
 * possible.
 */
export function partsThatFit(
  text: string,
  fits: (part: string, index: number) => boolean,
): readonly string[] {
  const parts = split(text, fits)
  const length = (text.length / parts.length) * 1.1
  const similar = split(text, (part, index) => part.length <= length && fits(part, index))
  return similar.length === parts.length ? similar : parts
}

function split(text: string, fits: (part: string, index: number) => boolean): readonly string[] {
  const parts: string[] = []
  let rest = text.trim()
  while (rest !== '' && parts.length < maxParts) {
    const index = parts.length
    const start = fits(rest, index) ? rest : startThatFits(rest, (each) => fits(each, index))
    const sentences = start === rest ? start : (/^[^]*[.!?](?=\s)/.exec(start)?.[0] ?? start)
    const part = sentences.length > start.length / 2 ? sentences : start
    parts.push(part)
    rest = rest.slice(part.length).trim()
  }
  return parts
}

const maxParts = 12

/** Estimates widths if there is no font to measure, such as on the server. */
export function estimatedWidth(text: string, isBold: boolean): number {
  let width = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    width += code > 0x1100 ? 1 : /[ilj.,:;'|! ]/.test(character) ? 0.32 : narrowOrWide(character)
  }
  return isBold ? width * 1.08 : width
}

const isWide = (character: string) =>
  /[mw@%&—]/.test(character) || character !== character.toLowerCase()

const narrowOrWide = (character: string) => (isWide(character) ? 0.72 : 0.58)

/**
 * Words in organizations' names with their abbreviations, for screens without room for the full
 * name.
 */
const abbreviations = [
  [/\bVolunteer Fire Department\b/i, 'VFD'],
  [/\bFire Department\b/i, 'FD'],
  [/\bVolunteer Fire Company\b/i, 'VFC'],
  [/\bFire Company\b/i, 'FC'],
  [/\bFire Protection District\b/i, 'FPD'],
  [/\bFire District\b/i, 'FD'],
  [/\bEmergency Medical Services\b/i, 'EMS'],
  [/\bFreiwillige Feuerwehr\b/i, 'FF'],
] as const

const shortWords = [
  [/\bDepartment\b/gi, 'Dept.'],
  [/\bVolunteer\b/gi, 'Vol.'],
  [/\bCompany\b/gi, 'Co.'],
  [/\bAssociation\b/gi, 'Assoc.'],
  [/\bDistrict\b/gi, 'Dist.'],
  [/\bTownship\b/gi, 'Twp.'],
  [/\bCounty\b/gi, 'Co.'],
] as const

/** Returns a name and its abbreviations, longest first. */
export function formsOfName(name: string): readonly string[] {
  const shortened = (replacements: readonly (readonly [RegExp, string])[]) =>
    replacements.reduce((text, [words, short]) => text.replace(words, short), name)
  return [...new Set([name, shortened(shortWords), shortened(abbreviations)])]
}
