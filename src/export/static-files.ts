import { languageParameter } from '../feeds/feed-options.ts'
import { isCalendar, partQuery, staticPartPath, type Feed, type FeedPart } from '../feeds/feed.ts'
import type { Language } from '../records/messages.ts'
import type { Target } from '../representations/target.ts'
import type { StaticSite } from './static-site.ts'

export type FeedContents = {
  readonly feed: Feed
  readonly parts: readonly FeedPart[]
  readonly recordIds: readonly number[]
}

/** A path on the service, and its file on a static host. */
export type StaticFile = {
  /** Path to request from the service. */
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
const boardFile = staticFile('/board/screen.json')
const homePage: StaticFile = { asked: '/', path: '/', file: 'index.html', presence: 'always' }

/** Files that depend on the current time and the time of the last read. */
export const boardFiles: readonly StaticFile[] = [boardFile, page('/board')]

/** Lists the pictures of the board. Some platforms cannot draw them. */
export const boardPicturesOf = ({ boardPicturePaths }: StaticSite): readonly StaticFile[] =>
  boardPicturePaths.map((path) => staticFile(path, 'perhaps'))

/** Lists all files to export, each after all files that it refers to. */
export function staticFilesOf(
  staticSite: StaticSite,
  contents: readonly FeedContents[],
  combined: readonly Target[],
  picturePaths: ReadonlySet<string>,
): readonly StaticFile[] {
  const { site, assetPaths, imagePaths, pagePaths } = staticSite
  const feeds = contents.map(({ feed }) => feed)
  const hasNews = feeds.some(({ formats }) => formats.includes('rss'))
  const shared = [
    ...assetPaths.map((path) => staticFile(path)),
    // Some platforms cannot draw images.
    ...imagePaths.map((path) => staticFile(path, 'perhaps')),
    ...[...picturePaths].map((path) => staticFile(path, 'once')),
    staticFile('/feedhouse-events.js'),
    page('/404.html'),
  ]
  const inEachLanguage = [
    ...contents.flatMap(itemFiles),
    ...contents.flatMap(partFiles),
    ...feeds.flatMap(({ id, formats }) => formats.map((format) => staticFile(`/${id}.${format}`))),
    ...combined.map(({ feed, format }) => staticFile(`/${feed.id}.${format}`)),
    ...(hasNews ? [staticFile('/feeds.opml')] : []),
    ...pagePaths().map((path) => page(path)),
    staticFile('/board.json'),
    staticFile('/board.rss'),
    staticFile('/board/concerto.json'),
    staticFile('/board-worker.js'),
    ...boardPicturesOf(staticSite),
    ...boardFiles,
    page('/feeds'),
    page('/poster', 'perhaps'),
    homePage,
  ]
  const translations = site.staticLanguages?.map((language) =>
    inEachLanguage.map(translated(language)),
  )
  // A page in the website's language links to its translations.
  return [...shared, ...(translations ?? []).flat(), ...inEachLanguage]
}

/** Returns a function that maps a file to its translation in the language's directory. */
export function translated(language: Language): (file: StaticFile) => StaticFile {
  return ({ asked, path, file, presence }) => ({
    asked: `${asked}${asked.includes('?') ? '&' : '?'}${languageParameter}=${language}`,
    path: `/${language}${path}`,
    file: `${language}/${file}`,
    presence,
  })
}

/** Lists the pages of a feed's items. The page of a calendar entry comes after the entry's file. */
function itemFiles({ feed, recordIds }: FeedContents): readonly StaticFile[] {
  return recordIds.flatMap((id) => [
    ...(isCalendar(feed) ? [staticFile(`/${feed.id}/${id}.ics`, 'perhaps')] : []),
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

/** Returns directories in which all files have the same headers. */
export function directoriesOf(
  feeds: readonly Feed[],
  languages: readonly Language[],
): readonly string[] {
  const inEachLanguage = ['/embed/', '/month/', '/parts/', ...feeds.map(({ id }) => `/${id}/`)]
  const translations = languages.flatMap((each) => inEachLanguage.map((path) => `/${each}${path}`))
  return ['/assets/', '/board/images/', ...inEachLanguage, ...translations]
}

/** Pages without their own directories. The board refers to files by relative paths. */
const plainPages = /(?:^|\/)(?:index|404|board)\.html$/

/**
 * Returns the file of a page in its own directory, for hosts that do not find `agenda.html` for
 * `/agenda`.
 */
export function inDirectory(staticFile: StaticFile): StaticFile {
  const { file } = staticFile
  if (!file.endsWith('.html') || plainPages.test(file)) return staticFile
  return { ...staticFile, file: file.replace(/\.html$/, '/index.html') }
}
