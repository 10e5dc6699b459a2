import { noneChosen, selectField, type FeedOptionSet, type ValuesOf } from '../options/option.ts'
import { flag, idsOption, oneOf, wholeNumber } from '../options/value-types.ts'
import { searchOptions } from '../search/search-options.ts'
import { itemMessages } from './messages.ts'

const maxItems = 200

export const categoryOption = { categories: idsOption('category') } as const satisfies FeedOptionSet

/** Option for news feeds whose records can be featured. */
export const featuredOption = {
  isFeatured: {
    name: 'featured',
    type: flag,
    defaultValue: false,
    selectsRecords: true,
    fields: (language) => [selectField(itemMessages(language).options.featured)],
  },
} as const satisfies FeedOptionSet

/** Options that every news feed has. */
export const itemOptions = {
  ...searchOptions,
  limit: {
    name: 'limit',
    type: wholeNumber(1, maxItems),
    defaultValue: 50,
  },
  content: {
    name: 'content',
    type: oneOf(['full', 'summary']),
    defaultValue: 'full',
    fields: (language) => [selectField(itemMessages(language).options.content)],
  },
} as const satisfies FeedOptionSet

const allOptions = { ...categoryOption, ...itemOptions, ...featuredOption }

/** Options in a news feed's URL. An empty list of categories means all of them. */
export type ItemOptions = ValuesOf<typeof allOptions>

export const noItemOptions: ItemOptions = noneChosen(allOptions).values
