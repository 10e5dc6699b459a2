import { standardCatalog } from '../../src/feeds/catalog.ts'

/** Returns the URLs that a link to all feeds has, either public or under a link. */
export function feedUrlsUnder(base: string): readonly string[] {
  return standardCatalog
    .feedsOf({ feedIds: undefined })
    .flatMap(({ id, formats }) => formats.map((format) => `${base}${id}.${format}`))
}
