import { createHash } from 'node:crypto'
import { Router, type Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Collections } from '../../collections/collections.ts'
import type { Ledger } from '../../collections/copy/ledger.ts'
import type { Feed } from '../../feeds/feed.ts'
import type { Site } from '../../feeds/site.ts'
import { frontPictures } from '../../feeds/front-pictures.ts'
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

/** Undefined stands for what is no picture, or cannot be had. Rejects with `PicturesBusy` only. */
export type FetchPicture = (url: string) => Promise<FetchedPicture | undefined>

/** Fetches only pictures that boards showed here lately, or can show of the present stories. */
export function createBoardPictures(options: {
  readonly fetchPicture: FetchPicture
  readonly site: Pick<Site, 'url'>
  readonly feeds: readonly Pick<Feed, 'id'>[]
  readonly collections: Pick<Collections, 'copyOf'>
}): BoardPictures {
  const { fetchPicture, site, feeds, collections } = options
  const hasNews = feeds.some(({ id }) => id === 'news')
  /** By the names that they have here. */
  const known = new LRUCache<string, string>({ max: maxKnown })
  const router = Router({ caseSensitive: true, strict: true })

  /** By name, hashed once for each ledger: a made-up name costs a lookup. */
  let ofStories: { readonly ledger?: Ledger; readonly urls: ReadonlyMap<string, string> } = {
    urls: new Map(),
  }

  function noteName(item: BoardItem): string {
    const name = nameOf(item)
    known.set(name, item.pictureUrl ?? '')
    return name
  }

  /** For names that another replica has given, or this one before it was restarted. */
  function urlsOfStories() {
    const news = hasNews ? collections.copyOf('news') : undefined
    if (news && news.ledger !== ofStories.ledger) {
      const pictures = frontPictures(news.records, site.url)
      const urls = new Map(pictures.map((picture) => [nameOf(picture), picture.pictureUrl]))
      ofStories = { ledger: news.ledger, urls }
    }
    return ofStories.urls
  }

  router.get(`${picturePath}/:name`, async (request, response, next) => {
    const [name = ''] = request.params.name.split('.')
    const url = known.get(name) ?? urlsOfStories().get(name)
    const picture = url === undefined ? undefined : await fetchPicture(url)
    if (!picture) return next()
    sendPicture(response, picture)
  })

  return {
    hosted: (items, { publicUrl, isStatic = false }) =>
      items.map((item) => {
        if (item.pictureUrl === null) return item
        const ending = isStatic ? endingFor(item.pictureType) : ''
        return { ...item, pictureUrl: `${publicUrl}${picturePath}/${noteName(item)}${ending}` }
      }),
    router,
  }
}

type NamedPicture = Pick<BoardItem, 'pictureUrl' | 'pictureWidth' | 'pictureHeight'>

/** A picture is no more secret than its address, whoever may read the story. */
function nameOf({ pictureUrl, pictureWidth, pictureHeight }: NamedPicture): string {
  const text = `${pictureUrl} ${pictureWidth} ${pictureHeight}`
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
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
