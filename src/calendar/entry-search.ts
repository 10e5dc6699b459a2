import type { FeedResource } from '../records/resources.ts'
import {
  createFoldedTexts,
  isAt,
  isEmptySearch,
  rankIn,
  type FoldedTexts,
  type Search,
} from '../search/search.ts'
import type { EntryRecipe, Reader } from './entry-recipe.ts'
import type { KnownRecord } from './shown-records.ts'

const textsOf = new WeakMap<object, FoldedTexts>()

type Filter = { readonly search: Search; readonly place: string }

/** Texts that a reader may see, folded: title, place, categories and description. */
export type SearchedTexts = readonly string[]

export function searchedTexts<R extends FeedResource>(recipe: EntryRecipe<R>, reader: Reader) {
  const foldedTexts = textsOf.get(recipe) ?? createFoldedTexts()
  textsOf.set(recipe, foldedTexts)
  const variant = `${reader.profile} ${reader.language}`
  return ({ record, known }: KnownRecord<R>) =>
    foldedTexts(known, variant, () => {
      const { summary, location, description, categories } = recipe.textFor(record, reader)
      return [summary, location, categories.join('\n'), description]
    })
}

/** Filters by the search and place in the options. Sees only the text that the reader may see. */
export function entryFilter<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  filter: Filter,
  reader: Reader,
): (shown: KnownRecord<R>) => boolean {
  if (!isFiltered(filter)) return () => true
  const textsFor = searchedTexts(recipe, reader)
  return (shown) => isMatch([textsFor(shown)], filter)
}

export const isFiltered = ({ search, place }: Filter) => place !== '' || !isEmptySearch(search)

/** Returns true if an entry matches. `copies` has the texts of the entries that it combines. */
export function isMatch(copies: readonly SearchedTexts[], { search, place }: Filter): boolean {
  const isAtPlace = copies.some(([_title, location = '']) => isAt(location, place))
  return isAtPlace && rankIn(copies.flat(), search) !== undefined
}
