import type { Feed } from '../feeds/feed.ts'

/** Ids of the feeds on the tab for documents. */
export const documentFeeds: readonly string[] = ['documents', 'minutes']

/** Returns true for a feed that has a page with a list of all items. */
export const hasArchive = ({ id, boardRole }: Feed) =>
  boardRole === 'story' || documentFeeds.includes(id)
