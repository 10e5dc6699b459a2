import type { ItemKind } from '../../src/feeds/news-feed.ts'
import { readRecords } from '../../src/records/read-records.ts'
import type { FeedResource } from '../../src/records/resources.ts'
import type { ItemDraft, ItemSource } from '../../src/syndication/feed-item.ts'

/** When the records of `itemSource` were first seen. */
export const firstSeenAt = Date.parse('2026-03-05T16:00:00Z')

/** Context for items of a public feed. */
export const itemSource: ItemSource = {
  siteUrl: 'https://cedarhollow.example',
  idHost: 'cedarhollow.example',
  timeZone: 'America/New_York',
  language: 'en-US',
  profile: 'public',
  urlOf: (id) => `https://feeds.cedarhollow.example/items/${id}`,
  websiteUrlOf: (id) => `https://cedarhollow.example/items?page=1&id=${id}`,
  knownOf: () => ({ hash: 'a', revision: 0, firstSeenAt, changedAt: firstSeenAt }),
}

/** Creates a function that converts a record with different changes to items, with ids in order. */
export function itemsWith<R extends FeedResource>(
  resource: R,
  record: { readonly id: number },
  draftsFrom: (...given: Parameters<ItemKind<R>['draftsFrom']>) => ItemDraft,
) {
  return (changes: readonly object[], more: Partial<ItemSource> = {}) => {
    const items = changes.map((change, index) => ({ ...record, id: record.id + index, ...change }))
    const source = { ...itemSource, ...more }
    return readRecords(resource, items).records.map((each) => draftsFrom(each, source, {}).make())
  }
}
