import { createHash } from 'node:crypto'
import { Router, type Response } from 'express'
import type { Feed, Site } from '../../feeds/feed.ts'
import type { FeedOverviews } from '../../representations/feed-overviews.ts'
import type { BoardItem } from '../../signage/board-item.ts'

/** Where pictures are; not below links, for whoever knows an address knows the picture. */
export const picturePath = '/board/images'

const maxKnown = 2_000
const daySeconds = 86_400

/** A picture as it came from where it was named. */
export type FetchedPicture = { readonly type: string; readonly bytes: Buffer }

export type BoardPictures = {
  /** The same items, with addresses of Feedhouse's own copies of their pictures. */
  readonly hosted: (items: readonly BoardItem[], site: Site) => readonly BoardItem[]
  readonly router: Router
}

/** Undefined stands for what is no picture, or cannot be had. */
export type FetchPicture = (url: string) => Promise<FetchedPicture | undefined>

/** Nothing is fetched but what boards show: lately here, or now by `presentItems`. */
export function createBoardPictures(
  fetchPicture: FetchPicture,
  presentItems: () => Promise<readonly BoardItem[]>,
): BoardPictures {
  /** By the names that they have here. */
  const known = new Map<string, string>()
  const router = Router({ caseSensitive: true, strict: true })

  function nameOf({ pictureUrl: url, pictureWidth, pictureHeight }: BoardItem): string {
    const name = createHash('sha256')
      .update(`${url} ${pictureWidth} ${pictureHeight}`)
      .digest('base64url')
      .slice(0, 22)
    known.delete(name)
    known.set(name, url ?? '')
    const [oldest] = known.size > maxKnown ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return name
  }

  async function find(name: string): Promise<string | undefined> {
    const url = known.get(name)
    if (url !== undefined || !/^[\w-]{22}$/.test(name)) return url
    // Another replica may have named it, or this one before it was started anew.
    for (const item of await presentItems()) if (item.pictureUrl !== null) nameOf(item)
    return known.get(name)
  }

  router.get(`${picturePath}/:name`, async (request, response, next) => {
    const [name = ''] = request.params.name.split('.')
    const url = await find(name)
    const picture = url === undefined ? undefined : await fetchPicture(url)
    if (!picture) return next()
    sendPicture(response, picture)
  })

  return {
    hosted: (items, { publicUrl, isStatic = false }) =>
      items.map((item) => {
        if (item.pictureUrl === null) return item
        const ending = isStatic ? endingFor(item.pictureType) : ''
        return { ...item, pictureUrl: `${publicUrl}${picturePath}/${nameOf(item)}${ending}` }
      }),
    router,
  }
}

export function sendPicture(response: Response, { type, bytes }: FetchedPicture): void {
  response
    .set({ 'Cache-Control': `public, max-age=${daySeconds}`, 'Access-Control-Allow-Origin': '*' })
    .set('Cross-Origin-Resource-Policy', 'cross-origin')
    .type(type)
    .send(bytes)
}

/** By which hosts of files know what it is. */
export function endingFor(type: string | null): string {
  const [, ending] = /^image\/(jpeg|png|gif|webp|avif)$/.exec(type ?? '') ?? []
  return ending === undefined ? '' : `.${ending}`
}

/**
 * What has pictures, on boards with any filters, whoever may read it: a picture is not more secret than
 * its address. The latest of several categories are among the latest of each.
 */
export async function picturedItems(
  feeds: readonly Feed[],
  overviews: FeedOverviews,
): Promise<readonly BoardItem[]> {
  const pictured = feeds.filter(({ id }) => id === 'news')
  const boards = await Promise.all(pictured.map((feed) => boardsOf(feed, overviews)))
  return boards.flat()
}

async function boardsOf(feed: Feed, overviews: FeedOverviews): Promise<readonly BoardItem[]> {
  const all = await overviews.of(feed, 'full')
  const categories = ['', ...(all?.parts ?? []).map(({ query }) => query)]
  const filters = categories.flatMap((category) => [category, joined(category, 'featured=1')])
  const boards = await Promise.all(filters.map((each) => overviews.of(feed, 'full', each)))
  return boards.flatMap((overview) => overview?.board ?? [])
}

function joined(...queries: readonly string[]): string {
  return queries.filter((query) => query !== '').join('&')
}
