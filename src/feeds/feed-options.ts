import {
  chosenFrom,
  noneChosen,
  readOptions,
  type ChosenOptions,
  type FeedOptionSet,
  type OptionsReading,
} from '../options/option.ts'
import { oneOf } from '../options/value-types.ts'
import { languages, spokenLanguage, type Language } from '../records/messages.ts'
import type { FeedPart, Feed } from './feed.ts'
import type { FeedFormat } from './formats.ts'

export const languageParameter = 'lang'

const languageOptions = {
  language: { name: languageParameter, type: oneOf(languages), defaultValue: undefined },
} as const

/*
 * Options in feed URLs. Other URL parameters are ignored. Equivalent URLs have the same canonical query
 * string, which is empty for the defaults.
 */

/** Reads the language in a query, which is undefined if it is the website's. */
export function readLanguageOption(
  query: URLSearchParams,
  { language: websiteLanguage }: { readonly language: string },
):
  | { readonly ok: true; readonly language: Language | undefined }
  | { readonly ok: false; readonly reason: string } {
  const reading = readOptions(languageOptions, query)
  if (!reading.ok) return reading
  const { language } = reading.chosen.values
  const isWebsites = language === spokenLanguage(websiteLanguage)
  return { ok: true, language: isWebsites ? undefined : language }
}

/** Rejects options that lists do not have, except the list's own names in `ownNames`. */
export function readListOptions(
  feed: Feed,
  query: URLSearchParams,
  ownNames: readonly string[] = [],
): OptionsReading {
  const options = listOptions(feed)
  const known = new Set([...listParameters(feed), ...ownNames])
  const unused = feed.formats
    .flatMap((format) => Object.values(feed.options(format)))
    .find(({ name }) => query.has(name) && !known.has(name))
  if (!unused) return readOptions(options, query)
  return { ok: false, reason: `${unused.name} has no effect on boards and lists. Leave it out.` }
}

/** Returns the URL parameters that select entries of a feed in lists and boards. */
export function listParameters(feed: Feed): readonly string[] {
  return Object.values(listOptions(feed)).map(({ name }) => name)
}

/** Returns the options that select a part of a feed, if the format supports them. */
export function partOptions(
  feed: Feed,
  format: FeedFormat,
  { option, id }: { readonly option: string; readonly id: number },
): ChosenOptions {
  const options = feed.options(format)
  return chosenParts(options, option, [id]) ?? noneChosen(options)
}

/**
 * Returns the list options that select several parts of a feed, or undefined if there is no such
 * option.
 */
export function listPartOptions(
  feed: Feed,
  { option, ids }: { readonly option: FeedPart['option']; readonly ids: readonly number[] },
): ChosenOptions | undefined {
  return chosenParts(listOptions(feed), option, ids)
}

function chosenParts(
  options: FeedOptionSet,
  name: string,
  ids: readonly number[],
): ChosenOptions | undefined {
  const key = Object.keys(options).find((each) => options[each]?.name === name)
  return key === undefined ? undefined : chosenFrom(options, { [key]: ids })
}

export function noListOptions(feed: Feed): ChosenOptions {
  return noneChosen(listOptions(feed))
}

/** Returns the options that lists support, which are those of the first format that select records. */
export function listOptions(feed: Feed): FeedOptionSet {
  const [format] = feed.formats
  const options = format === undefined ? {} : feed.options(format)
  return Object.fromEntries(
    Object.entries(options).filter(([, { selectsRecords }]) => selectsRecords),
  )
}
