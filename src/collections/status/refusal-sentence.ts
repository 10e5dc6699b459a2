import { endpointOf, type FeedResource } from '../../records/resources.ts'

/** Feeds rendered from a resource. */
export type ServedFeeds = {
  readonly ids: readonly string[]
  /** True if a setting or link names at least one of these feeds explicitly. */
  readonly areNamed: boolean
}

/** Explains the effect of a refused endpoint, and who can fix it. */
export function refusalSentence(
  resource: FeedResource,
  { ids }: ServedFeeds,
  /** Time of the last good copy, formatted for display. */
  readAt: string | undefined,
): string {
  const outcome = ids.length === 0 ? personalOutcome(readAt) : feedOutcome(ids, readAt)
  return `The API Project is not allowed to read ${resource}, so ${outcome}. Ask a website manager to allow the endpoint ${endpointOf(resource)} on the API Project, in the website's Members Area under Manage > API. Feedhouse then reads it within 20 minutes, or immediately after: npx feedhouse check`
}

function feedOutcome(ids: readonly string[], readAt: string | undefined): string {
  const isOne = ids.length === 1
  const feeds = isOne ? `the feed ${ids[0]}` : `the feeds ${ids.join(' and ')}`
  return readAt === undefined
    ? `${feeds} ${isOne ? 'is' : 'are'} switched off`
    : `${feeds} still ${isOne ? 'shows' : 'show'} the last good copy, from ${readAt}`
}

/** Describes the effect on a resource that only the personal entries of feed links need. */
function personalOutcome(readAt: string | undefined): string {
  return readAt === undefined
    ? 'personal entries that need it are missing from the calendars of feed links with a member'
    : `personal entries in the calendars of feed links still show the last good copy, from ${readAt}`
}
