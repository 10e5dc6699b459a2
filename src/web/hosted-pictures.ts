import { createHash } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import type { Collections } from '../collections/collections.ts'
import { frontPictures, news } from '../feeds/catalog/news-feeds.ts'
import type { Site } from '../feeds/site.ts'
import type { Picture, PictureSource } from '../pictures/picture-source.ts'
import { limitedSize, resizedPicture, type PictureUse } from '../pictures/resized-picture.ts'
import type { Ledger } from '../records/recorded-change.ts'
import type { BoardPicture } from '../signage/board-item.ts'
import { networkIn } from './turns.ts'

/** Public path prefix for pictures: anyone who knows a picture's URL may see the picture. */
export const picturePath = '/board/images'

/** Parts of a picture's name after the first dot. */
const suffixes = { board: '', thumbnail: '.small', phone: '.phone' } as const

type Copy = keyof typeof suffixes

export type HostedPictures = {
  /** Replaces picture URLs with the URLs of Feedhouse's own copies, below `root`. */
  readonly hosted: <T extends BoardPicture>(
    items: readonly T[],
    root: string,
    use?: Copy,
  ) => readonly T[]
  readonly send: RequestHandler
  /** Returns the original of a hosted picture, or undefined if it is not available. */
  readonly originalOf: (hostedUrl: string) => Promise<Picture | undefined>
}

/**
 * Serves only pictures in the current records, so that a picture disappears with its story. Only stories
 * have pictures.
 */
export function createHostedPictures({
  site,
  collections,
  fetchPicture,
}: {
  readonly site: Site
  readonly collections: Collections
  readonly fetchPicture: PictureSource['fetch']
}): HostedPictures {
  /** Picture URLs by name for each version of the stories. A guessed name costs only a lookup. */
  const named = new WeakMap<Ledger, ReadonlyMap<string, string>>()

  function urlOf(name: string): string | undefined {
    const copy = collections.copyOf(news.resource)
    if (!copy) return undefined
    const known = named.get(copy.ledger)
    if (known) return known.get(name)
    const pictures = frontPictures(copy.records, site.url)
    const urls = new Map(pictures.map((picture) => [nameOf(picture), picture.pictureUrl]))
    named.set(copy.ledger, urls)
    return urls.get(name)
  }

  async function original(name: string): Promise<Picture | undefined> {
    const url = urlOf(name)
    return url === undefined ? undefined : fetchPicture(url)
  }

  return {
    originalOf: (hostedUrl) => original(nameIn(hostedUrl.split('/').at(-1))),
    hosted: (items, root, use = 'board') =>
      items.map((item) => {
        if (item.pictureUrl === null) return item
        const name = nameOf(item)
        const type = use === 'board' ? item.pictureType : 'image/webp'
        const ending = site.isStatic ? endingFor(type) : ''
        const pictureUrl = `${root}${picturePath}/${name}${suffixes[use]}${ending}`
        return { ...item, ...sizeOf(item, use), pictureUrl, pictureType: type }
      }),
    async send(request, response, next) {
      const file = String(request.params['file'])
      const [, size] = file.split('.')
      const picture = await original(nameIn(file))
      if (!picture) return next()
      const use = (['thumbnail', 'phone'] as const).find((each) => suffixes[each] === `.${size}`)
      sendPicture(response, await resizedPicture(picture, use ?? 'board', networkIn(request)))
    },
  }
}

const nameIn = (file = '') => file.replace(/\..*/, '')

function sizeOf({ pictureWidth, pictureHeight }: BoardPicture, use: PictureUse) {
  if (!pictureWidth || !pictureHeight) return {}
  const { width, height } = limitedSize({ width: pictureWidth, height: pictureHeight }, use)
  return { pictureWidth: width, pictureHeight: height }
}

/** Returns a name that cannot be guessed without the picture's original URL. */
function nameOf(item: Omit<BoardPicture, 'pictureType'>): string {
  const text = `${item.pictureUrl} ${item.pictureWidth} ${item.pictureHeight}`
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

export function sendPicture(response: Response, { type, bytes }: Picture): void {
  response
    .set('Access-Control-Allow-Origin', '*')
    .set('Cross-Origin-Resource-Policy', 'cross-origin')
    .type(type)
    .send(bytes)
}

/** Returns the file extension, from which static hosts derive the content type. */
export function endingFor(type: string | null): string {
  const [, ending] = /^image\/(jpeg|png|gif|webp)$/.exec(type ?? '') ?? []
  return ending === undefined ? '' : `.${ending}`
}
