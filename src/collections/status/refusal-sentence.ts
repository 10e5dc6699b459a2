import type { FeedResource } from '../../records/resources.ts'

/** Feeds that are made of a resource. */
export type ServedFeeds = {
  readonly ids: readonly string[]
  /** Whether somebody asked for one of them by name, rather than for all that there are. */
  readonly areNamed: boolean
}

/** What the API Project's refusal of an endpoint brings about, and who does what. */
export function refusalSentence(
  resource: FeedResource,
  { ids }: Pick<ServedFeeds, 'ids'>,
  /** Of the last good copy, for people. */
  readAt: string | undefined,
): string {
  const [feeds, are] = ids.length === 1 ? [`the feed ${ids[0]}`, 'is'] : [ids.join(' and '), 'are']
  const outcome =
    readAt === undefined
      ? `${feeds} ${are} switched off`
      : `${feeds} ${are} shown as last read, at ${readAt}`
  return `The API Project may not read ${resource} (endpoint_not_allowed), so ${outcome}: a website manager allows the endpoint ${resource} on the API Project, in the website's Members Area under Manage > API. Then it comes back by itself within 20 minutes, and at once after: npx feedhouse check`
}
