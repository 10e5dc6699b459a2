import { expect, test } from 'vitest'
import { standardCatalog } from '../../../src/feeds/catalog.ts'
import { collectionTitle } from '../../../src/http/admin/status-page.ts'

test.for(standardCatalog.keptResources)('has a title for the records of %s', (resource) => {
  expect(collectionTitle(standardCatalog.feeds, resource)).toMatch(/^[A-Z]/)
})
