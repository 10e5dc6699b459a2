import type { ItemSource } from '../../src/syndication/feed-item.ts'

/** When the records of `itemSource` were first seen. */
export const firstSeenAt = Date.parse('2026-03-05T16:00:00Z')

/** Context for items of a public feed. */
export const itemSource: ItemSource = {
  siteUrl: 'https://cedarhollow.example',
  idHost: 'cedarhollow.example',
  timeZone: 'America/New_York',
  profile: 'public',
  urlOf: (id) => `https://feeds.cedarhollow.example/items/${id}`,
  websiteUrlOf: (id) => `https://cedarhollow.example/items?page=1&id=${id}`,
  knownOf: () => ({ hash: 'a', revision: 0, firstSeenAt, changedAt: firstSeenAt }),
}
