import { joined } from './accents.ts'
import { foldCharacters, foldText, type Search } from './search.ts'

export type TextPart = { readonly text: string; readonly isMatch: boolean }

type Range = readonly [start: number, end: number]

const snippetLength = 200

const lineSeparator = ' · '

/** Maximum number of characters before the first match in a snippet. */
const leadLength = 60

/** Only this many characters of a text are searched for the first match. */
const maxSearched = 100_000

/**
 * Texts are searched in windows that overlap, so that each match is entirely within one of them.
 */
const windowLength = 800
const overlapLength = 400

/** Splits a text into parts that match a search and parts that do not. */
export function markedParts(text: string, search: Search): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  const add = (to: number, isMatch: boolean) => {
    if (to > end) parts.push({ text: text.slice(end, to), isMatch })
    end = to
  }
  for (const [matchStart, matchEnd] of matchesIn(text, search)) {
    add(matchStart, false)
    add(matchEnd, true)
  }
  add(text.length, false)
  return parts
}

/** Returns up to about 200 characters around the first match, or from the start, on one line. */
export function snippetOf(text: string, search: Search): readonly TextPart[] {
  const from = startOfSnippet(text, firstMatchIn(text, search))
  const rest = withShortSpaces(text.slice(from, from + 4 * snippetLength).trim())
  const end = endOfSnippet(rest)
  const isCut = end < rest.length || from + 4 * snippetLength < text.length
  const cut = isCut ? rest.slice(0, end).replace(/\s\S{0,30}$|\p{Surrogate}$/u, '') : rest
  return [
    ...(from > 0 ? [{ text: '… ', isMatch: false }] : []),
    ...markedParts(cut, search).map(({ text: part, isMatch }) => ({
      text: part.replaceAll('\n', isMatch ? ' ' : lineSeparator),
      isMatch,
    })),
    ...(isCut ? [{ text: ' …', isMatch: false }] : []),
  ]
}

/** Returns how much of a text fits in a snippet, in which line breaks are longer. */
function endOfSnippet(text: string): number {
  let length = 0
  for (let end = 0; end < text.length; end += 1) {
    length += text[end] === '\n' ? lineSeparator.length : 1
    if (length > snippetLength) return end
  }
  return text.length
}

/**
 * Replaces white space with a space, or a line break if a line without punctuation ends there, as in
 * lists. Lines that start in lower case continue the ones before.
 */
function withShortSpaces(text: string): string {
  return text.replaceAll(/\s+/g, (space, at: number) => {
    const end = at + space.length
    const isEnd = /[\p{L}\p{N}\p{Pe}]$/u.test(text.slice(Math.max(0, at - 2), at))
    const isStart = /^[\p{Lu}\p{Lt}\p{Lo}\p{N}]/u.test(text.slice(end, end + 2))
    return space.includes('\n') && isEnd && isStart ? '\n' : ' '
  })
}

/** Returns the start of a word shortly before a match. */
function startOfSnippet(text: string, match: number): number {
  const from = Math.max(0, match - leadLength)
  if (from === 0) return 0
  const [space] = /^\S*\s+/.exec(text.slice(from, match)) ?? []
  return space === undefined ? match : from + space.length
}

/** Returns the start of the first match, or 0 if there is none. */
function firstMatchIn(text: string, search: Search): number {
  const length = Math.min(text.length, maxSearched)
  for (let start = 0; start < length; start += windowLength - overlapLength) {
    const part = text.slice(start, start + windowLength)
    const folded = foldText(part)
    if (!search.required.some((value) => folded.includes(value))) continue
    const [first] = matchesIn(part, search)
    return start + (first?.[0] ?? 0)
  }
  return 0
}

/** Returns the ranges of the words that a search requires, in order and without overlaps. */
function matchesIn(text: string, { required }: Search): readonly Range[] {
  if (required.length === 0) return []
  const { folded, starts, ends } = foldedWithPositions(text)
  const found: Range[] = required.flatMap((value) =>
    positionsOf(value, folded).map((at): Range => [
      starts[at] ?? 0,
      ends[at + value.length - 1] ?? text.length,
    ]),
  )
  const merged: Range[] = []
  for (const range of found.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last && range[0] <= last[1]) merged.splice(-1, 1, [last[0], Math.max(last[1], range[1])])
    else merged.push(range)
  }
  return merged
}

function positionsOf(value: string, text: string): readonly number[] {
  const positions: number[] = []
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length)) {
    positions.push(at)
  }
  return positions
}

/**
 * Folds a text like `foldText`, but keeps white space at its end. For each folded character, also
 * returns the start and end of its original in the text, because folding can change the length.
 */
function foldedWithPositions(text: string) {
  const [starts, ends]: [number[], number[]] = [[], []]
  let folded = ''
  let end = 0
  for (const character of charactersIn(text)) {
    const start = end
    end += character.length
    for (const unit of foldedCharacter(character).split('')) {
      const isSpace = /\s/.test(unit)
      if (isSpace && (folded === '' || folded.endsWith(' '))) continue
      folded += isSpace ? ' ' : unit
      starts.push(start)
      ends.push(end)
    }
  }
  return { folded, starts, ends }
}

/** Splits a text into characters, each with its marks. */
function charactersIn(text: string): readonly string[] {
  const characters: string[] = []
  for (const character of text) {
    const base = character < '\u00ad' || !joined.test(character) ? undefined : characters.pop()
    characters.push(base === undefined ? character : base + character)
  }
  return characters
}

function foldedCharacter(character: string): string {
  return character.length === 1 && character < '\u0080'
    ? character.toLowerCase()
    : foldCharacters(character)
}
