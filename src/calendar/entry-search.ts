import type { FeedResource } from '../records/resources.ts'
import { createFoldedTexts, isAt, isEmptySearch, isFoundIn } from '../search/search.ts'
import type { CalendarOptions } from './calendar-options.ts'
import type { EntryRecipe, Reader } from './entry-recipe.ts'
import type { ShownRecord } from './shown-records.ts'

const textsOf = new WeakMap<object, ReturnType<typeof createFoldedTexts>>()

/**
 * Returns a filter for records whose entries match the search and place in the options. It sees
 * only the text that the reader may see.
 */
export function entryFilter<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  { search, place }: Pick<CalendarOptions, 'search' | 'place'>,
  reader: Reader,
): (shown: Pick<ShownRecord<R>, 'record' | 'known'>) => boolean {
  if (isEmptySearch(search) && place === '') return () => true
  const foldedTexts = textsOf.get(recipe) ?? createFoldedTexts()
  textsOf.set(recipe, foldedTexts)
  return ({ record, known }) => {
    const [location = '', all = ''] = foldedTexts(
      known,
      `${reader.profile} ${reader.language}`,
      () => {
        const { summary, location, description, categories } = recipe.textFor(record, reader)
        return [location, [summary, location, description, ...categories].join('\n')]
      },
    )
    return isAt(location, place) && isFoundIn(all, search)
  }
}
