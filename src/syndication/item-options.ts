import { noneChosen, type FeedOptionSet } from '../options/option.ts'
import { flag, ids, oneOf, wholeNumber } from '../options/value-types.ts'

/** Options in a news feed's URL. */
export type ItemOptions = CommonItemOptions & {
  /** Ids of the categories to show, in ascending order. An empty list means all of them. */
  readonly categories: readonly number[]
  /** True to show only featured stories. */
  readonly isFeatured: boolean
}

/** Options in every news feed's URL. */
export type CommonItemOptions = {
  /** Maximum number of items. */
  readonly limit: number
  readonly content: 'full' | 'summary'
}

const maxItems = 200

/** Option of news feeds whose records have categories. */
export const categoryOption: FeedOptionSet<Pick<ItemOptions, 'categories'>> = {
  categories: {
    name: 'category',
    type: ids,
    defaultValue: [],
    selectsRecords: true,
    // The form lists the categories by name.
    fields: [],
    example: 'category=5,6',
    meaning: 'only items in these categories; the feed is empty if there are no such items',
  },
}

/** Option of news feeds whose records can be featured. */
export const featuredOption: FeedOptionSet<Pick<ItemOptions, 'isFeatured'>> = {
  isFeatured: {
    name: 'featured',
    type: flag,
    defaultValue: false,
    selectsRecords: true,
    fields: [
      {
        label: 'Stories',
        choices: [
          ['', 'all'],
          ['1', 'only featured ones'],
        ],
      },
    ],
    example: 'featured=1',
    meaning: 'only stories that are featured on the website',
  },
}

/** Options that every news feed has. */
export const itemOptions: FeedOptionSet<CommonItemOptions> = {
  limit: {
    name: 'limit',
    type: wholeNumber(1, maxItems),
    defaultValue: 50,
    selectsRecords: false,
    fields: [],
    example: 'limit=20',
    meaning: 'maximum number of items; the default is 50',
  },
  content: {
    name: 'content',
    type: oneOf(['full', 'summary']),
    defaultValue: 'full',
    selectsRecords: false,
    fields: [
      {
        label: 'Content',
        choices: [
          ['', 'full text'],
          ['summary', 'a short summary'],
        ],
      },
    ],
    example: 'content=summary',
    meaning: '`summary` leaves out the full text; the default is `content=full`',
  },
}

/** Default options. */
export const noItemOptions: ItemOptions = noneChosen({
  ...categoryOption,
  ...itemOptions,
  ...featuredOption,
}).values
