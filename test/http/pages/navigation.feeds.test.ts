import { expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import type { Viewer } from '../../../src/http/feeds/viewer.ts'
import { navigationFor } from '../../../src/http/pages/navigation.ts'

test.for([
  ['events', 'calendar'],
  ['news', 'news'],
  ['documents', 'documents'],
  ['minutes', 'documents'],
])('leads to the page for %s if it is the only feed', ([id, tab]) => {
  const feeds = standardCatalog.feeds.filter((feed) => feed.id === id)
  const viewer = { feeds, hasMembers: false } as unknown as Viewer
  const pages = navigationFor({ isOffered: () => true }, viewer)
  expect(pages.map((page) => page.tab)).toEqual(['home', tab])
})
