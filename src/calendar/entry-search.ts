import type { FeedResource } from '../records/resources.ts'
import { createFoldedTexts, isAt, isEmptySearch, rankIn, type Search } from '../search/search.ts'
import type { CalendarOptions } from './calendar-options.ts'
import type { EntryRecipe, Reader } from './entry-recipe.ts'
import type { ShownRecord } from './shown-records.ts'

const textsOf = new WeakMap<object, ReturnType<typeof createFoldedTexts>>()

type Searched<R extends FeedResource> = Pick<ShownRecord<R>, 'record' | 'known'>

/** Returns a function that returns what a reader may see of an entry, folded: first its title and place. */
function searchedTexts<R extends FeedResource>(recipe: EntryRecipe<R>, reader: Reader) {
  const foldedTexts = textsOf.get(recipe) ?? createFoldedTexts()
  textsOf.set(recipe, foldedTexts)
  const variant = `${reader.profile} ${reader.language}`
  return ({ record, known }: Searched<R>) =>
    foldedTexts(known, variant, () => {
      const { summary, location, description, categories } = recipe.textFor(record, reader)
      return [summary, location, categories.join('\n'), description]
    })
}

/**
 * Returns a filter for records whose entries match the search and place in the options. It sees
 * only the text that the reader may see.
 */
export function entryFilter<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  { search, place }: Pick<CalendarOptions, 'search' | 'place'>,
  reader: Reader,
): (shown: Searched<R>) => boolean {
  if (isEmptySearch(search) && place === '') return () => true
  const textsFor = searchedTexts(recipe, reader)
  return (shown) => {
    const texts = textsFor(shown)
    return isAt(texts[1] ?? '', place) && rankIn(texts, search) !== undefined
  }
}

/** Returns a function that returns how well an entry matches, with its folded title. */
export function entryRank<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  search: Search,
  reader: Reader,
): (shown: Searched<R>) => { readonly rank: number; readonly foldedTitle: string } | undefined {
  const textsFor = searchedTexts(recipe, reader)
  return (shown) => {
    const texts = textsFor(shown)
    const rank = rankIn(texts, search)
    return rank === undefined ? undefined : { rank, foldedTitle: texts[0] ?? '' }
  }
}
