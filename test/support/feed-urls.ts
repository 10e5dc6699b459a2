import { feeds } from '../../src/feeds/catalog.ts'

/** Returns the URL of every feed in every format, either public or under a link. */
export function feedUrlsUnder(base: string): readonly string[] {
  return feeds.flatMap(({ id, formats }) => formats.map((format) => `${base}${id}.${format}`))
}
