import type { FeedResource } from '../../records/resources.ts'

/** Feeds that are rendered from a resource. */
export type ServedFeeds = {
  readonly ids: readonly string[]
  /** True if a setting or link names one of them explicitly. */
  readonly areNamed: boolean
}

/** Returns what a refused endpoint means, and who can fix it. */
export function refusalSentence(
  resource: FeedResource,
  { ids }: Pick<ServedFeeds, 'ids'>,
  /** Time of the last good copy, for people. */
  readAt: string | undefined,
): string {
  const [feeds, are] = ids.length === 1 ? [`the feed ${ids[0]}`, 'is'] : [ids.join(' and '), 'are']
  const outcome =
    readAt === undefined
      ? `${feeds} ${are} switched off`
      : `${feeds} ${are} shown as last read, at ${readAt}`
  return `The API Project may not read ${resource} (endpoint_not_allowed), so ${outcome}: a website manager allows the endpoint ${resource} on the API Project, in the website's Members Area under Manage > API. Then it comes back by itself within 20 minutes, and at once after: npx feedhouse check`
}
