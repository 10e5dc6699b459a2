import { readListOptions } from '../../src/feeds/feed-options.ts'
import type { Feed } from '../../src/feeds/feed.ts'
import type { FeedFormat } from '../../src/feeds/formats.ts'
import { readOptions, type ChosenOptions, type OptionsReading } from '../../src/options/option.ts'

/** Returns the options for a feed that a query string like `calendar=3&alarm=30` selects. */
export function chosenOptions(
  feed: Pick<Feed, 'options'>,
  format: FeedFormat,
  query = '',
): ChosenOptions {
  return chosenOf(readOptions(feed.options(format), new URLSearchParams(query)))
}

/** Returns the options for a list or board that a query string selects. */
export function chosenForList(feed: Feed, query = ''): ChosenOptions {
  return chosenOf(readListOptions(feed, new URLSearchParams(query)))
}

function chosenOf(reading: OptionsReading): ChosenOptions {
  if (!reading.ok) throw new TypeError(reading.reason)
  return reading.chosen
}
