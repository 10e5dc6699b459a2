import type { FeedOptionSet } from '../options/feed-option.ts'
import {
  noneChosen,
  readOptions,
  type ChosenOptions,
  type OptionsReading,
} from '../options/option.ts'
import type { Feed, FeedFormat } from './feed.ts'

/*
 * The options in the addresses of feeds. Parameters of other names are ignored; for all addresses that
 * mean the same there is one query string, empty when nothing is chosen.
 */

/** Reads the options of a feed in a format. */
export function readFeedOptions(
  feed: Feed,
  format: FeedFormat,
  query: URLSearchParams,
): OptionsReading {
  return readOptions(feed.options(format), query)
}

/** Reads the options of a feed that lists and boards take, and checks all others of the feed. */
export function readListOptions(feed: Feed, query: URLSearchParams): OptionsReading {
  const readings = feed.formats.map((format) => readFeedOptions(feed, format, query))
  return readings.find(({ ok }) => !ok) ?? readOptions(listOptions(feed), query)
}

/** What an address without options chooses of a feed. */
export function noFeedOptions(feed: Feed, format: FeedFormat): ChosenOptions {
  return noneChosen(feed.options(format))
}

/** What a list without options chooses of a feed. */
export function noListOptions(feed: Feed): ChosenOptions {
  return noneChosen(listOptions(feed))
}

/** Lists show what the first format of a feed shows. */
function listOptions(feed: Feed): FeedOptionSet {
  const [format] = feed.formats
  const options = format === undefined ? {} : feed.options(format)
  return Object.fromEntries(
    Object.entries(options).filter(([, { selectsRecords }]) => selectsRecords),
  )
}
