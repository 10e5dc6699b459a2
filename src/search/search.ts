import { withoutAccents } from './accents.ts'

export const searchLimits = { maxLength: 100, maxTerms: 8 }

/** Folded words and phrases. A match has all required ones and none of the excluded ones. */
export type Search = { readonly required: readonly string[]; readonly excluded: readonly string[] }

export const emptySearch: Search = { required: [], excluded: [] }

/** Words and a place that select entries of calendars. */
export type SearchFilter = { readonly search: Search; readonly place?: string }

/** Returns `bbq, station 1`, or an empty string without a filter. */
export function textOfFilter({ search, place = '' }: SearchFilter): string {
  return [textOfSearch(search), place].filter((text) => text !== '').join(', ')
}

/** Adds a feed's filter to its title, like `Events (bbq)`. */
export function titleWithSearch(title: string, filter: SearchFilter): string {
  const text = textOfFilter(filter)
  return text === '' ? title : `${title} (${text})`
}

export const isEmptySearch = ({ required, excluded }: Search) =>
  required.length + excluded.length === 0

/** Replacements in addition to Unicode NFKD, which separates accents and ligatures. */
const foldings: Readonly<Record<string, string>> = {
  ß: 'ss',
  ı: 'i',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
}

const folded = new RegExp(`[${Object.keys(foldings).join('')}]`, 'gu')

/** Folds case, accents and typographic characters. */
export function foldCharacters(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(folded, (character) => foldings[character] ?? '')
}

/** Returns text for comparisons: folded, on one line. */
export function foldText(text: string): string {
  return foldCharacters(text).replace(/\s+/g, ' ').trim()
}

/** Matches a word or a quoted phrase, which may be excluded and lack its closing quote. */
const term = /(-?)(?:"([^"]*)"?|([^\s"]+))/g

/** Parses words, `"phrases"` and `-excluded` ones. Undefined for too many or too much text. */
export function readSearch(text: string): Search | undefined {
  if (text.length > searchLimits.maxLength) return undefined
  const terms = [...foldText(text).matchAll(term)].flatMap(([, minus, phrase, word = '']) => {
    const value = phrase?.trim() ?? word
    return value === '' || value === '-' ? [] : [{ value, isExcluded: minus === '-' }]
  })
  const valuesOf = (isExcluded: boolean) =>
    [
      ...new Set(terms.filter((each) => each.isExcluded === isExcluded).map(({ value }) => value)),
    ].toSorted()
  const search = { required: valuesOf(false), excluded: valuesOf(true) }
  // Folding can make text longer.
  const isTooLong = textOfSearch(search).length > searchLimits.maxLength
  return terms.length > searchLimits.maxTerms || isTooLong ? undefined : search
}

const quoted = (value: string) => (/^-|\s/.test(value) ? `"${value}"` : value)

/** Returns a search as text that `readSearch` can parse, identical for equivalent searches. */
export function textOfSearch({ required, excluded }: Search): string {
  return [...required.map(quoted), ...excluded.map((value) => `-${quoted(value)}`)].join(' ')
}

/**
 * Returns how well an item matches a search, or undefined if it does not: 0 if all words are in its
 * title, and 2 if some are only in its full text. The first folded text is its title, the last one
 * its full text, and the others are in between, such as its categories.
 */
export function rankIn(
  texts: readonly string[],
  { required, excluded }: Search,
): number | undefined {
  let rank = 0
  for (const value of required) {
    const index = indexOfTextWith(value, texts)
    if (index < 0) return undefined
    rank = Math.max(rank, index === 0 ? 0 : index === texts.length - 1 ? 2 : 1)
  }
  for (const value of excluded) if (indexOfTextWith(value, texts) >= 0) return undefined
  return rank
}

/** A loop, because creating a function for each of thousands of items would take longer. */
function indexOfTextWith(value: string, texts: readonly string[]): number {
  for (let index = 0; index < texts.length; index += 1) {
    if (texts[index]?.includes(value)) return index
  }
  return -1
}

export type Ranked<T> = { readonly rank: number; readonly item: T }

/** Returns the selected items that match a search. */
export function rankedIn<T extends { readonly texts: readonly string[] }>(
  items: readonly T[],
  search: Search,
  isSelected: (item: T) => boolean = () => true,
): readonly Ranked<T>[] {
  const found: Ranked<T>[] = []
  for (const item of items) {
    const rank = isSelected(item) ? rankIn(item.texts, search) : undefined
    if (rank !== undefined) found.push({ rank, item })
  }
  return found
}

/** Returns true if a folded text contains what a search requires, and nothing that it excludes. */
export const isFoundIn = (folded: string, search: Search) => rankIn([folded], search) !== undefined

/** Separates a place from its address or directions. "Station 1-2" is not "Station 1". */
const placeEnd = /^(?: ?[,;:(]| -|- )/

/** Returns true if a folded location is a place, optionally with details after its name. */
export function isAt(location: string, place: string): boolean {
  if (!location.startsWith(place)) return false
  const rest = location.slice(place.length)
  return place === '' || rest === '' || placeEnd.test(rest)
}

/** Maximum number of variants of an item's texts: for each profile and language, and a few more. */
const maxVariants = 24

export type FoldedTexts = (
  key: object,
  variant: string,
  textsOf: () => readonly string[],
) => readonly string[]

/** Caches until the key is garbage-collected. Most profiles and languages share equal texts. */
export function createFoldedTexts(): FoldedTexts {
  const known = new WeakMap<object, Map<string, readonly string[]>>()
  return (key, variant, textsOf) => {
    const variants = known.get(key) ?? new Map<string, readonly string[]>()
    const cached = variants.get(variant)
    if (cached) return cached
    const folded = textsOf().map(foldText)
    const texts = [...variants.values()].find((other) => areEqual(other, folded)) ?? folded
    known.set(key, variants.set(variant, texts))
    const [oldest] = variants.keys()
    if (variants.size > maxVariants && oldest !== undefined) variants.delete(oldest)
    return texts
  }
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}
