import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import pLimit from 'p-limit'
import { withTimeout } from '../../clock.ts'
import type { Feed } from '../../feeds/feed.ts'
import { PicturesBusy } from '../../pictures/picture-source.ts'
import {
  limitedSize,
  pictureWidths,
  resizedPicture,
  sizeFor,
} from '../../pictures/resized-picture.ts'
import { endingFor, picturePath, sendPicture } from '../../web/hosted-pictures.ts'
import type { SiteContext } from '../../web/context.ts'
import { networkIn } from '../../web/turns.ts'

const maxWaitMs = 3_000
const maxConcurrent = 4

type Size = { readonly width: number; readonly height: number }

/** Result of fetching a picture. `picture` is undefined if there is none. */
type Outcome = {
  readonly picture: { readonly type: string; readonly size: Size | undefined } | undefined
}

/** Matches all pictures in sanitized HTML, whose attributes never contain a bare ">". */
const imagePattern = /<img\b[^<>]*>/g

/** Pages stored before pictures were resized contain names without a size. */
const namePattern =
  /^([a-z]+)-([1-9]\d{0,14})-([\w-]{22})(?:\.(\d{1,5})x\d{1,5})?(?:\.[a-z]{3,4})?$/

/** Widest picture in CSS pixels, and the width of pictures at any width of the window (`style.css`). */
const widestShown = 694
const shownSizes = `(max-width: 48rem) calc(100vw - 4.625rem), ${widestShown}px`

/** Maximum length of the HTML before a picture that is probably visible right away, even on phones. */
const maxLengthAbove = 800

type ItemPictures = {
  /** Rewrites picture URLs in HTML. Replaces unavailable pictures with their alternative text. */
  readonly hosted: (html: string, feed: Feed, id: number) => Promise<string>
  readonly send: RequestHandler
}

/** Serves copies to protect readers' privacy, only of pictures that an item's page shows. */
export function createItemPictures(context: SiteContext): ItemPictures {
  const { site, catalog, itemPages, fetchPicture, exportedFiles = () => [] } = context
  const base = `${context.basePath}${picturePath}`

  /** Fetches pictures. The result omits pictures that were not fetched in time. */
  async function fetched(urls: readonly string[]): Promise<ReadonlyMap<string, Outcome>> {
    const outcomes = new Map<string, Outcome>()
    const work = pLimit(maxConcurrent).map(urls, async (url) => {
      const outcome = await outcomeOf(url)
      if (outcome) outcomes.set(url, outcome)
    })
    // An exported page must be complete, because it is not rendered again soon.
    await (site.isStatic ? work : withTimeout(work, maxWaitMs, () => undefined))
    return outcomes
  }

  async function outcomeOf(url: string): Promise<Outcome | undefined> {
    try {
      const picture = await fetchPicture(url)
      if (!picture) return { picture: undefined }
      // Only a static host needs the format of the file, for its name.
      const { type } = site.isStatic ? await resizedPicture(picture, 'page') : picture
      return { picture: { type, size: sizeFor(picture, 'page') } }
    } catch (error) {
      if (!(error instanceof PicturesBusy)) throw error
      // A browser can still request the picture later, except on an exported page.
      return site.isStatic ? { picture: undefined } : undefined
    }
  }

  async function find(feed: Feed, id: number, hash: string): Promise<string | undefined> {
    // It is safe to use the full profile here, because only someone who knows a picture's URL knows its
    // hash.
    const page = await itemPages.read(feed, { id, url: '' }, 'full')
    return picturesIn(page?.contentHtml ?? '').find((url) => hashOf(url) === hash)
  }

  return {
    hosted: async (html, { id: feedId }, id) => {
      const nameOf = (url: string) => `${feedId}-${id}-${hashOf(url)}`
      const urls = [...new Set(picturesIn(html))]
      const exported = exportedNames(new Set(urls.map(nameOf)), exportedFiles())
      const outcomes = await fetched(urls.filter((url) => !exported.has(nameOf(url))))
      let isFirst = true
      return html.replace(imagePattern, (image, lengthAbove: number) => {
        const url = attributeOf(image, 'src')
        const outcome = outcomes.get(url)
        if (outcome && !outcome.picture) return escapedAttribute(image, 'alt')
        const names =
          exported.get(nameOf(url)) ?? fileNamesFor(nameOf(url), outcome?.picture, site.isStatic)
        const isAtTop = isFirst && lengthAbove <= maxLengthAbove
        isFirst = false
        const loading = isAtTop ? ' fetchpriority="high"' : ' loading="lazy"'
        const sources = names.map((name) => `${base}/${name}`)
        return withSources(image, sources, loading)
      })
    },
    async send(request, response, next) {
      const file = String(request.params['file'])
      const [, feedId, id, hash = '', width] = namePattern.exec(file) ?? []
      const feed = catalog.feeds.find((each) => each.id === feedId)
      const url = feed && (await find(feed, Number(id), hash))
      const picture = url === undefined ? undefined : await fetchPicture(url)
      if (!picture) return next()
      const use = Number(width) <= pictureWidths.phone ? 'phone' : 'page'
      const resize = () => resizedPicture(picture, use, networkIn(request))
      sendPicture(response, width === undefined ? picture : await resize())
    },
  }
}

/** Returns the file names of exported pictures, largest first, keyed by name without extension. */
function exportedNames(names: ReadonlySet<string>, files: readonly string[]) {
  const directory = `${picturePath.slice(1)}/`
  const exported = files
    .filter((file) => file.startsWith(directory))
    .map((file) => file.slice(directory.length))
    .toSorted((a, b) => (sizeIn(b)?.width ?? 0) - (sizeIn(a)?.width ?? 0))
  const grouped = Map.groupBy(exported, (file) => file.replace(/\..*/, ''))
  return new Map([...grouped].filter(([name]) => names.has(name)))
}

/** Returns the names of a picture's copies, largest first, with the size, which exported pages need. */
function fileNamesFor(name: string, picture: Outcome['picture'], isStatic = false) {
  if (!picture) return [name]
  const ending = isStatic ? endingFor(picture.type) : ''
  const { size } = picture
  if (!size) return [`${name}${ending}`]
  const small = limitedSize(size, 'phone')
  const sizes = small.width < size.width ? [size, small] : [size]
  return sizes.map(({ width, height }) => `${name}.${width}x${height}${ending}`)
}

function sizeIn(name: string) {
  const [, width = 0, height = 0] = (/\.(\d+)x(\d+)(?:\.\w+)?$/.exec(name) ?? []).map(Number)
  return width > 0 && height > 0 ? { width, height } : undefined
}

/**
 * Replaces the URL of an image element with those of the picture's copies. Sets the dimensions from
 * the first copy's name, so that the page does not shift when the picture loads. Keeps the width
 * that the author has chosen.
 */
function withSources(image: string, sources: readonly string[], attributes: string): string {
  const [source = ''] = sources
  const size = sizeIn(source)
  const withoutSize = image.replace(/ (?:width|height)="[^"]*"/g, '')
  const moved = withoutSize.replace(/ src="[^"]*"/, () => ` src="${source}"`)
  const withAttributes = (added: string) => moved.replace(/ ?\/?>$/, `${added}${attributes}>`)
  if (!size) return withAttributes('')
  const { width, height } = size
  const chosen = Number(/^\d{1,4}$/.exec(attributeOf(image, 'width'))?.[0] ?? 0)
  const shown = chosen > 0 ? Math.min(chosen, width) : width
  const dimensions = ` width="${shown}" height="${Math.round((height * shown) / width)}"`
  if (sources.length === 1) return withAttributes(dimensions)
  const copies = sources.map((each) => `${each} ${sizeIn(each)?.width}w`)
  const sizes = shown < widestShown ? `${shown}px` : shownSizes
  return withAttributes(`${dimensions} srcset="${copies.join(', ')}" sizes="${sizes}"`)
}

function picturesIn(html: string): readonly string[] {
  return [...html.matchAll(imagePattern)].map(([image]) => attributeOf(image, 'src'))
}

function attributeOf(tag: string, name: string): string {
  return escapedAttribute(tag, name)
    .replaceAll('&quot;', '"')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
}

function escapedAttribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
}

function hashOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url').slice(0, 22)
}
