import { partQuery, type FeedPart } from '../feeds/feed-overview.ts'
import { staticPartPath, type Feed } from '../feeds/feed.ts'

/** A path of the service, with its file on a static host. */
export type StaticAddress = {
  /** Path to request from the service. */
  readonly asked: string
  /** Path under the public URL, including the leading slash. Differs from `asked` for feeds with options. */
  readonly path: string
  /** Path relative to the directory. */
  readonly file: string
  /**
   * `always` means that the file must exist, `perhaps` that it is an item that may be hidden, and
   * `once` that its content never changes.
   */
  readonly presence: 'always' | 'perhaps' | 'once'
}

/** A feed with its parts and records. */
export type FeedContents = {
  readonly feed: Feed
  readonly parts: readonly FeedPart[]
  readonly recordIds: readonly number[]
}

/** Returns directories in which all files have the same headers. */
export function directoriesOf(feeds: readonly Feed[]): readonly string[] {
  return [
    '/assets/',
    '/board/images/',
    '/embed/',
    '/month/',
    '/parts/',
    ...feeds.map(({ id }) => `/${id}/`),
  ]
}

/** Lists all files to export, each after all files that it refers to. */
export function addressesOf(options: {
  readonly assetPaths: readonly string[]
  /** Missing on platforms that cannot draw images. */
  readonly imagePaths: readonly string[]
  readonly picturePaths: readonly string[]
  readonly feeds: readonly FeedContents[]
  /** Paths of feeds that combine other feeds. */
  readonly combinedPaths: readonly string[]
  /** Paths of pages that list items. */
  readonly pagePaths: readonly string[]
}): readonly StaticAddress[] {
  const { assetPaths, imagePaths, picturePaths, feeds, combinedPaths, pagePaths } = options
  const hasNews = feeds.some(({ feed }) => feed.formats.includes('rss'))
  return [
    ...assetPaths.map((path) => address(path)),
    ...imagePaths.map((path) => address(path, 'perhaps')),
    ...picturePaths.map((path) => address(path, 'once')),
    address('/feedhouse-events.js'),
    page('/404.html'),
    ...feeds.flatMap(itemAddresses),
    ...feeds.flatMap(partAddresses),
    ...feeds.flatMap(({ feed }) => feed.formats.map((format) => address(`/${feed.id}.${format}`))),
    ...combinedPaths.map((path) => address(path)),
    ...(hasNews ? [address('/feeds.opml')] : []),
    ...pagePaths.map((path) => page(path)),
    boardFile,
    ...boardFiles.map((path) => address(path)),
    boardPage,
    page('/feeds'),
    page('/poster', 'perhaps'),
    { asked: '/', path: '/', file: 'index.html', presence: 'always' },
  ]
}

/** The board content that screens poll. It includes the time of the last read. */
export const boardFile = address('/board/screen.json')

const boardFiles = ['/board.json', '/board.rss', '/board/concerto.json', '/board-worker.js']

export const boardPage = page('/board')

/** Returns the pages of a feed's items. Those of calendar entries come after the entry's own file. */
function itemAddresses({ feed, recordIds }: FeedContents): readonly StaticAddress[] {
  const isCalendar = feed.formats.includes('ics')
  return recordIds.flatMap((id) => [
    ...(isCalendar ? [address(`/${feed.id}/${id}.ics`, 'perhaps')] : []),
    page(`/${feed.id}/${id}`, 'perhaps'),
  ])
}

function partAddresses({ feed, parts }: FeedContents): readonly StaticAddress[] {
  return parts.flatMap((part) =>
    feed.formats.map((format): StaticAddress => {
      const query = partQuery(part)
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
