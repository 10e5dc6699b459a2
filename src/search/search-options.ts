import type { FeedOptionSet, ValueType } from '../options/option.ts'
import { searchMessages } from './messages.ts'
import {
  emptySearch,
  foldText,
  readSearch,
  searchLimits,
  textOfSearch,
  type Search,
} from './search.ts'

const { maxLength, maxTerms } = searchLimits

const searchType: ValueType<Search> = {
  read: ([text = '']) => readSearch(text),
  format: textOfSearch,
  expected: () => `at most ${maxLength} characters and ${maxTerms} words`,
}

/** Name of a place, folded. */
const placeType: ValueType<string> = {
  read: ([text = '']) => {
    const name = text.length > maxLength ? undefined : foldText(text)
    return name !== undefined && name.length > maxLength ? undefined : name
  },
  format: (name) => name,
  expected: () => `the name of a place, with at most ${maxLength} characters`,
}

/** Options that every feed has. */
export const searchOptions = {
  search: {
    name: 'q',
    type: searchType,
    defaultValue: emptySearch,
    selectsRecords: true,
    isText: true,
    textField: (language) => ({ ...searchMessages(language).words(searchLimits), maxLength }),
  },
} as const satisfies FeedOptionSet

/** Options that every calendar has, which filter entries. */
export const filterOptions = {
  ...searchOptions,
  place: {
    name: 'place',
    type: placeType,
    defaultValue: '',
    selectsRecords: true,
    isText: true,
    textField: (language) => ({
      ...searchMessages(language).place(maxLength),
      maxLength,
      isPlace: true,
    }),
  },
} as const satisfies FeedOptionSet
