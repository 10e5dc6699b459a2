import type { Logger } from '../log.ts'
import { isCombined } from '../feeds/combined-feed.ts'
import { partOptions } from '../feeds/feed-options.ts'
import { brotlied, gzipped } from '../representations/encodings.ts'
import { plainTargets, targetOf, type Target } from '../representations/target.ts'
import type { StaticSite } from './static-site.ts'
import type { ExportDirectory } from './export-directory.ts'
import { ExportError } from './export-error.ts'
import type { Header } from './export-manifest.ts'
import { headerOf, headerRules, headersToKeep, type PublishedFile } from './header-rules.ts'
import { headersFile, nginxRules, uploadList } from './host-rules.ts'
import {
  addressesOf,
  boardFile,
  boardPage,
  directoriesOf,
  type FeedContents,
  type StaticAddress,
} from './static-addresses.ts'

export type ExportCounts = {
  readonly written: number
  readonly unchanged: number
  readonly removed: number
}

/** Writes a site to a directory. Methods reject with an `ExportError` or a file system error. */
export type Exporter = {
  readonly all: () => Promise<ExportCounts>
  /** Writes only the board, which depends on the current time and the time of the last read. */
  readonly board: () => Promise<void>
}

const rulesFiles = ['_headers', 'nginx.conf', 'headers.json']

const compressedEndings = ['.gz', '.br']

/** Matches the URLs of pictures in `src` and `srcset`. */
const picturePattern = /(?: src(?:set)?="|, )([^" ]*\/board\/images\/[\w.-]+)/g

const isCompressible = (type: string) => /^text\/|json|xml|javascript/.test(type)

type FetchedPage = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

/** Subset of the board's JSON. */
type BoardContent = { readonly items: readonly { readonly pictureUrl: string | null }[] }

const hasPictures = (formats: FeedContents['feed']['formats']) => formats.includes('rss')

export function createExporter(
  staticSite: StaticSite,
  directory: ExportDirectory,
  options: {
    readonly isPrecompressed: boolean
    /** Called before each file; rejects if another process is exporting. */
    readonly hold: () => Promise<void>
    readonly log: Logger
    /** Stops the export before the next file. No existing file is truncated or removed. */
    readonly signal: AbortSignal
  },
): Exporter {
  const { site, shownFeeds, combinedFeeds, collections, representations, overviews } = staticSite
  const { assetPaths, imagePaths, pagePaths, ask } = staticSite
  const { isPrecompressed, hold, log, signal } = options
  const prefix = new URL(site.publicUrl).pathname.replace(/\/$/, '')

  async function contentsOf(feed: FeedContents['feed']): Promise<FeedContents> {
    const { parts } = await overviews.read(feed, 'public')
    const { records } = await collections.read(feed.resource)
    return { feed, parts, recordIds: records.map(({ id }) => id) }
  }

  /** Returns the paths of pictures on the board. */
  async function picturePaths(): Promise<readonly string[]> {
    const response = await ask('/board/screen.json')
    if (!response.ok) throw notRendered('/board/screen.json', response.status)
    const { items } = (await response.json()) as BoardContent
    const paths = items.flatMap(({ pictureUrl }) => pictureUrl?.slice(site.publicUrl.length) ?? [])
    return [...new Set(paths)]
  }

  /** Pages by path, fetched to find their pictures and cached until they are written. */
  const pages = new Map<string, FetchedPage>()

  async function fetched(asked: string): Promise<FetchedPage> {
    const response = await ask(asked)
    const { status, headers } = response
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  /** Returns the paths of pictures on the home page, in embeds and on item pages. */
  async function pagePicturePaths(feeds: readonly FeedContents[]): Promise<readonly string[]> {
    const paths = new Set<string>()
    const feedPaths = feeds
      .filter(({ feed: { formats } }) => hasPictures(formats))
      .flatMap(({ feed: { id: feedId }, recordIds }) => [
        `/embed/${feedId}`,
        ...recordIds.map((id) => `/${feedId}/${id}`),
      ])
    for (const asked of ['/', ...feedPaths]) {
      signal.throwIfAborted()
      const page = await fetched(asked)
      pages.set(asked, page)
      for (const [image] of page.bytes.toString().matchAll(/<img [^>]*>/g)) {
        for (const [, path = ''] of image.matchAll(picturePattern)) {
          paths.add(path.slice(prefix.length))
        }
      }
    }
    return [...paths]
  }

  /** Requests a file from the service; returns undefined if it does not exist. */
  async function renderedFile({ asked, path, file, presence }: StaticAddress) {
    const response = pages.get(asked) ?? (await fetched(asked))
    pages.delete(asked)
    const { status, bytes } = response
    if (status !== (path === '/404.html' ? 404 : 200)) {
      if (status !== 404 || presence === 'always') throw notRendered(asked, status)
      if (presence === 'once') log.warn({ file }, 'a picture is missing')
      return undefined
    }
    return { published: { path, file, headers: headersToKeep(response.headers) }, bytes }
  }

  /** Writes a file after its compressed copies, so that all three are rewritten after a crash. */
  async function write(file: string, bytes: Buffer, type: string): Promise<boolean> {
    if (!isPrecompressed || !isCompressible(type)) return directory.write(file, bytes)
    const exist = await Promise.all(
      compressedEndings.map((ending) => directory.has(`${file}${ending}`)),
    )
    if (exist.every(Boolean) && (await directory.isCurrent(file, bytes))) return false
    await directory.write(`${file}.gz`, await gzipped(bytes))
    await directory.write(`${file}.br`, await brotlied(bytes))
    return directory.write(file, bytes)
  }

  /** Writes a file; returns undefined if it does not exist. */
  async function exported(address: StaticAddress) {
    const { path, file, presence } = address
    const known = directory.manifest().headers[file]
    if (presence === 'once' && known && (await directory.has(file))) {
      return { published: { path, file, headers: known }, isWritten: false }
    }
    const rendered = await renderedFile(address)
    if (!rendered) return undefined
    const { published, bytes } = rendered
    const isWritten = await write(file, bytes, headerOf(published.headers, 'Content-Type'))
    return { published, isWritten }
  }

  async function writeRules(files: readonly PublishedFile[]): Promise<number> {
    const rules = headerRules(files, directoriesOf(shownFeeds()))
    const texts = [
      headersFile(rules, prefix),
      nginxRules(rules, { prefix, isPrecompressed }),
      uploadList(files),
    ]
    let written = 0
    for (const [index, file] of rulesFiles.entries()) {
      if (await directory.write(file, Buffer.from(texts[index] ?? ''))) written += 1
    }
    return written
  }

  const endingsFor = (isText: boolean) =>
    isPrecompressed && isText ? ['', ...compressedEndings] : ['']

  return {
    async all() {
      await hold()
      const feeds = await Promise.all(shownFeeds().map(contentsOf))
      const targets = plainTargets([...shownFeeds(), ...combinedFeeds], 'public')
      representations.keepReady([...targets, ...feeds.flatMap(partTargets)])
      pages.clear()
      const paths = [...(await picturePaths()), ...(await pagePicturePaths(feeds))]
      const addresses = addressesOf({
        assetPaths,
        imagePaths,
        pagePaths: pagePaths(),
        picturePaths: paths,
        feeds,
        combinedPaths: targets
          .filter(({ feed }) => isCombined(feed))
          .map(({ feed, format }) => `/${feed.id}.${format}`),
      })
      const possible = addresses.flatMap(({ file }) => endingsFor(true).map((each) => file + each))
      await directory.begin([...possible, ...rulesFiles], site.idHost)
      const done: PublishedFile[] = []
      const headers: Record<string, readonly Header[]> = {}
      let written = 0
      for (const address of addresses) {
        signal.throwIfAborted()
        await hold()
        const one = await exported(address)
        if (!one) continue
        done.push(one.published)
        if (one.isWritten) written += 1
        if (address.presence === 'once') headers[address.file] = one.published.headers
      }
      written += await writeRules(done)
      const files = done.flatMap(({ file, headers: kept }) =>
        endingsFor(isCompressible(headerOf(kept, 'Content-Type'))).map((each) => file + each),
      )
      const removed = await directory.finish({
        idHost: site.idHost,
        files: [...files, ...rulesFiles],
        headers,
      })
      return { written, unchanged: done.length + rulesFiles.length - written, removed }
    },
    async board() {
      await hold()
      await exported(boardFile)
      await exported(boardPage)
    },
  }
}

function partTargets({ feed, parts }: FeedContents): readonly Target[] {
  return parts.flatMap((part) =>
    feed.formats.map((format) => targetOf(feed, partOptions(feed, format, part), format, 'public')),
  )
}

function notRendered(asked: string, status: number): ExportError {
  return new ExportError(
    'not answered',
    `${asked} could not be rendered (${status}), so the export is incomplete. No files were removed.`,
  )
}
