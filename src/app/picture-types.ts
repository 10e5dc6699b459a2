import type { Collection } from '../collections/collection.ts'
import { untypedFrontPictures } from '../feeds/catalog/news-feeds.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import type { PictureTypes } from '../records/picture-types.ts'

/** Returns the known types of front pictures whose URLs do not reveal them. */
export type PictureTypesIn = (collection: Collection) => PictureTypes | undefined

/** Fetches unknown types in the background, for the next reading of the stories. */
export function createPictureTypes(pictures: PictureSource, siteUrl: string): PictureTypesIn {
  let fetching: Promise<void> | undefined
  /** Result for the latest stories, which are the same objects if a reading finds nothing new. */
  let latest: { readonly stories: unknown; readonly untyped: readonly string[] } | undefined

  /** Fetches one at a time, because readers of pages and boards wait for the same queue. */
  async function fetchAll(urls: readonly string[]): Promise<void> {
    for (const url of urls) await pictures.fetch(url).catch(() => undefined)
    fetching = undefined
  }

  return (collection) => {
    if (!isNews(collection)) return undefined
    const known = collection.pictureTypes ?? {}
    const { records: stories } = collection
    if (latest?.stories !== stories) {
      latest = { stories, untyped: untypedFrontPictures(stories, siteUrl) }
    }
    const { untyped } = latest
    const typeOf = (url: string) => known[url] ?? pictures.typeOf(url)
    const missing = untyped.filter((url) => typeOf(url) === undefined)
    if (missing.length > 0) fetching ??= fetchAll(missing)
    const types = untyped.flatMap((url) => {
      const type = typeOf(url)
      return type === undefined ? [] : [[url, type] as const]
    })
    return types.length === 0 ? undefined : Object.fromEntries(types)
  }
}

const isNews = (collection: Collection): collection is Collection<'news'> =>
  collection.resource === 'news'
