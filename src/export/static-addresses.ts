import type { FeedPart } from '../feeds/feed-overview.ts'
import { staticPartPath, type Feed } from '../feeds/feed.ts'

/** Where something is, and the file that it is on a static host. */
export type StaticAddress = {
  /** What the service is asked for. */
  readonly asked: string
  /** Below the public address, from the slash on; the same as `asked` but for options. */
  readonly path: string
  /** Below the directory. */
  readonly file: string
  /** `always` there; `perhaps`: an item that is not shown; `once`: never another at its address. */
  readonly presence: 'always' | 'perhaps' | 'once'
}

/** A feed with what there is of it. */
export type FeedContents = {
  readonly feed: Feed
  readonly parts: readonly FeedPart[]
  readonly recordIds: readonly number[]
}

/** Paths below which everything has the same headers. */
export function directoriesOf(feeds: readonly Feed[]): readonly string[] {
  return ['/assets/', '/board/images/', '/embed/', '/parts/', ...feeds.map(({ id }) => `/${id}/`)]
}

/** Everything there is to write, each after all that it names. */
export function addressesOf(options: {
  readonly assetPaths: readonly string[]
  readonly picturePaths: readonly string[]
  readonly feeds: readonly FeedContents[]
}): readonly StaticAddress[] {
  const { assetPaths, picturePaths, feeds } = options
  const hasNews = feeds.some(({ feed }) => feed.formats.includes('rss'))
  return [
    ...assetPaths.map((path) => address(path)),
    ...picturePaths.map((path) => address(path, 'once')),
    page('/404.html'),
    ...feeds.flatMap(({ feed, recordIds }) =>
      recordIds.map((id) => page(`/${feed.id}/${id}`, 'perhaps')),
    ),
    ...feeds.flatMap(partAddresses),
    ...feeds.flatMap(({ feed }) => feed.formats.map((format) => address(`/${feed.id}.${format}`))),
    ...(hasNews ? [address('/feeds.opml')] : []),
    ...feeds.map(({ feed }) => page(`/embed/${feed.id}`)),
    boardFile,
    ...boardFiles.map((path) => address(path)),
    boardPage,
    { asked: '/', path: '/', file: 'index.html', presence: 'always' },
  ]
}

/** What screens read again and again; it says when the website was last read. */
export const boardFile = address('/board/screen.json')

const boardFiles = ['/board.json', '/board.rss', '/board/concerto.json', '/board-worker.js']

export const boardPage = page('/board')

function partAddresses({ feed, parts }: FeedContents): readonly StaticAddress[] {
  return parts.flatMap(({ query }) =>
    feed.formats.map((format): StaticAddress => {
      const file = staticPartPath(feed, format, query)
      const asked = `/${feed.id}.${format}?${query}`
      return { asked, path: `/${file}`, file, presence: 'always' }
    }),
  )
}

function address(path: string, presence: StaticAddress['presence'] = 'always'): StaticAddress {
  return { asked: path, path, file: path.slice(1), presence }
}

function page(path: string, presence: StaticAddress['presence'] = 'always'): StaticAddress {
  const file = path.endsWith('.html') ? path.slice(1) : `${path.slice(1)}.html`
  return { asked: path, path, file, presence }
}
