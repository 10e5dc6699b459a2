export const resources = [
  'announce',
  'calendar',
  'databases',
  'discuss',
  'documents',
  'events',
  'guestbook',
  'members',
  'minutes',
  'news',
  'rental',
  'signup',
  'training',
] as const

export type Resource = (typeof resources)[number]

/** More lists of an endpoint's records, or the same list with more fields. */
const moreLists = [
  'members/contacts',
  'training/membercerts',
  'training/presentations',
  'training/quizzes',
] as const satisfies readonly `${Resource}/${string}`[]

/** Resources that Feedhouse can keep for any site, each a single list of records. */
export const feedResources = [
  ...resources.filter((resource) => resource !== 'databases'),
  ...moreLists,
]

/** The records of the custom database with this id. */
export type DatabaseResource = `databases/${number}`

/** The replies to a topic in the forum, which are read on demand and not stored. */
export type RepliesResource = 'discuss/replies'

/** Resources that feeds are made from, each a single list of records. */
export type FeedResource = (typeof feedResources)[number] | DatabaseResource | RepliesResource

export function isFeedResource(name: string): name is FeedResource {
  return feedResources.some((known) => known === name) || databaseIdFrom(name) !== undefined
}

/** Returns the id of the custom database whose records a resource consists of, if any. */
export function databaseIdFrom(name: string): number | undefined {
  const [, id] = /^databases\/([1-9]\d{0,14})$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}

export function endpointOf(resource: FeedResource): Resource {
  const [endpoint] = resource.split('/')
  return endpoint as Resource
}

/** Resources from which a member's own entries are created. */
export const personalResources = [
  'members',
  'signup',
  'training',
] as const satisfies readonly FeedResource[]
