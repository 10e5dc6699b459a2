import type { Request } from 'express'
import { listParameters, readListOptions } from '../feeds/feed-options.ts'
import type { Feed } from '../feeds/feed.ts'
import type { ChosenOptions, OptionSet } from '../options/option.ts'
import type { Profile } from '../records/profile.ts'
import type { SiteContext } from './context.ts'
import { validOptions } from './errors.ts'

export type ListFilters = ReadonlyMap<Feed, ChosenOptions>

/** Throws `BadOption` for invalid values, and for feed options that do not apply to lists. */
export function readListFilters(
  feeds: readonly Feed[],
  query: URLSearchParams,
  ownOptions: OptionSet,
): ListFilters {
  const ownNames = namesOf(ownOptions)
  return new Map(
    feeds.map((feed) => [feed, validOptions(readListOptions(feed, query, ownNames))] as const),
  )
}

export function parametersOf(feeds: readonly Feed[], ownOptions: OptionSet): readonly string[] {
  return [...namesOf(ownOptions), ...new Set(feeds.flatMap(listParameters))]
}

function namesOf(options: OptionSet): readonly string[] {
  return Object.values(options).map(({ name }) => name)
}

/** Throws `TooManyRequests` if a client requests too many new filtered lists. */
export function limitNewLists(
  { overviews, listLimit }: SiteContext,
  { ip = '' }: Request,
  profile: Profile,
  filters: ListFilters,
): void {
  const isNew = [...filters].some(
    ([feed, chosen]) => chosen.query !== '' && !overviews.isKnown(feed, profile, chosen),
  )
  if (isNew) listLimit(ip)
}
