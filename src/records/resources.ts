/** Data endpoints in the specification. */
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

/** Resources that feeds are built from. */
export const feedResources = [
  'announce',
  'calendar',
  'events',
  'news',
  'rental',
  'signup',
] as const satisfies readonly Resource[]

export type FeedResource = (typeof feedResources)[number]
