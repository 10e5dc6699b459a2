import { standardCatalog } from '../../src/feeds/catalog.ts'

/** Returns the URLs of all feeds that a link can include, each below `base`. */
export function feedUrlsUnder(base: string): readonly string[] {
  return standardCatalog
    .feedsOf({ feedIds: undefined })
    .flatMap(({ id, formats }) => formats.map((format) => `${base}${id}.${format}`))
}
