import type { Collection } from '../collections/collection.ts'
import { untypedFrontPictures } from '../feeds/catalog/news-feeds.ts'
import type { PictureSource } from '../pictures/picture-source.ts'
import type { PictureTypes } from '../records/picture-types.ts'

/**
 * Returns a function that returns the known types of front pictures whose URLs do not reveal them.
 * It fetches unknown ones in the background, for the next reading of the stories.
 */
export function createPictureTypes(pictures: PictureSource, siteUrl: string) {
  return (collection: Collection): PictureTypes | undefined => {
    if (!isNews(collection)) return undefined
    const known = collection.pictureTypes ?? {}
    const types = untypedFrontPictures(collection.records, siteUrl).flatMap((url) => {
      const type = known[url] ?? pictures.typeOf(url)
      if (type !== undefined) return [[url, type] as const]
      void pictures.fetch(url).catch(() => undefined)
      return []
    })
    return types.length === 0 ? undefined : Object.fromEntries(types)
  }
}

const isNews = (collection: Collection): collection is Collection<'news'> =>
  collection.resource === 'news'
