import { partQuery, type FeedPart, staticPartPath, type Feed } from '../feeds/feed.ts'
import type { Target } from '../representations/target.ts'
import type { StaticSite } from './static-site.ts'

export type FeedContents = {
  readonly feed: Feed
  readonly parts: readonly FeedPart[]
  readonly recordIds: readonly number[]
}

/** A path on the service, and its file on a static host. */
export type StaticFile = {
  readonly asked: string
  /** Path under the public URL, including the leading slash. Differs from `asked` for feeds with options. */
  readonly path: string
  readonly file: string
  /**
   * `always` means that the file must exist, `perhaps` that it is an item that may be hidden, and
   * `once` that its content never changes.
   */
  readonly presence: 'always' | 'perhaps' | 'once'
}

/** The board content that screens poll. It includes the time of the last read. */
export const boardFile = staticFile('/board/screen.json')
export const boardPage = page('/board')

/** Lists all files to export, each after all files that it refers to. */
export function staticFilesOf(
  { assetPaths, imagePaths, pagePaths }: StaticSite,
  contents: readonly FeedContents[],
  combined: readonly Target[],
  picturePaths: ReadonlySet<string>,
): readonly StaticFile[] {
  const feeds = contents.map(({ feed }) => feed)
  const hasNews = feeds.some(({ formats }) => formats.includes('rss'))
  return [
    ...assetPaths.map((path) => staticFile(path)),
    // Some platforms cannot draw images.
    ...imagePaths.map((path) => staticFile(path, 'perhaps')),
    ...[...picturePaths].map((path) => staticFile(path, 'once')),
    staticFile('/feedhouse-events.js'),
    page('/404.html'),
    ...contents.flatMap(itemFiles),
    ...contents.flatMap(partFiles),
    ...feeds.flatMap(({ id, formats }) => formats.map((format) => staticFile(`/${id}.${format}`))),
    ...combined.map(({ feed, format }) => staticFile(`/${feed.id}.${format}`)),
    ...(hasNews ? [staticFile('/feeds.opml')] : []),
    ...pagePaths().map((path) => page(path)),
    boardFile,
    staticFile('/board.json'),
    staticFile('/board.rss'),
    staticFile('/board/concerto.json'),
    staticFile('/board-worker.js'),
    boardPage,
    page('/feeds'),
    page('/poster', 'perhaps'),
    { asked: '/', path: '/', file: 'index.html', presence: 'always' },
  ]
}

/** The page of a calendar entry comes after the file that it links to. */
function itemFiles({ feed, recordIds }: FeedContents): readonly StaticFile[] {
  const isCalendar = feed.formats.includes('ics')
  return recordIds.flatMap((id) => [
    ...(isCalendar ? [staticFile(`/${feed.id}/${id}.ics`, 'perhaps')] : []),
    page(`/${feed.id}/${id}`, 'perhaps'),
  ])
}

function partFiles({ feed, parts }: FeedContents): readonly StaticFile[] {
  return parts.flatMap((part) =>
    feed.formats.map((format): StaticFile => {
      const query = partQuery(part)
      const file = staticPartPath(feed, format, query)
      const asked = `/${feed.id}.${format}?${query}`
      return { asked, path: `/${file}`, file, presence: 'always' }
    }),
  )
}

function staticFile(path: string, presence: StaticFile['presence'] = 'always'): StaticFile {
  return { asked: path, path, file: path.slice(1), presence }
}

function page(path: string, presence: StaticFile['presence'] = 'always'): StaticFile {
  const file = path.endsWith('.html') ? path.slice(1) : `${path.slice(1)}.html`
  return { asked: path, path, file, presence }
}
