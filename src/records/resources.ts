/** Data endpoints of the specification. */
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

/** Resources that Feedhouse can keep, each a single list of records. */
export const feedResources = [
  'announce',
  'calendar',
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
] as const satisfies readonly Resource[]

export type FeedResource = (typeof feedResources)[number]

/** Resources that the own entries of a link's member are made from. */
export const personalResources = [
  'members',
  'signup',
  'training',
] as const satisfies readonly FeedResource[]
