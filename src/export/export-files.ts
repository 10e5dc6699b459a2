import { partOptions } from '../feeds/feed-options.ts'
import type { Feed } from '../feeds/feed.ts'
import type { TimeSource } from '../clock.ts'
import type { Logger } from '../log.ts'
import { brotlied, gzipped } from '../representations/encodings.ts'
import { inLanguage, plainTargets, targetOf, type Target } from '../representations/target.ts'
import { amberAfterMs } from '../signage/board-times.ts'
import { ExportError, type ExportDirectory } from './export-directory.ts'
import { createExtraFiles, type FileWriter } from './extra-files.ts'
import { headerOf, headersToKeep, type PublishedFile } from './header-rules.ts'
import {
  boardFiles,
  boardPicturesOf,
  inDirectory,
  staticFilesOf,
  translated,
  type FeedContents,
  type StaticFile,
} from './static-files.ts'
import type { StaticSite } from './static-site.ts'
import { createUnchangedExport } from './unchanged-export.ts'

const compressedEndings = ['.gz', '.br']

const isCompressible = (type: string) => /^text\/|json|xml|javascript/.test(type)

const picturePattern = /(?: src(?:set)?="|, )([^" ]*\/board\/images\/[\w.-]+)/g

type FetchedFile = { readonly status: number; readonly headers: Headers; readonly bytes: Buffer }

type ExportOptions = {
  readonly isPrecompressed: boolean
  /** True if each page is in its own directory. */
  readonly hasDirectories?: boolean | undefined
  readonly clock: TimeSource
  /** Called before each file; rejects if another process is exporting. */
  readonly hold: () => Promise<void>
  readonly log: Logger
  /** Stops the export before the next file. No existing file is truncated or removed. */
  readonly signal: AbortSignal
}

type BoardContent = { readonly items: readonly { readonly pictureUrl: string | null }[] }

type Report = (step: string, done: number, total: number) => void

/** Creates functions that write a site to a directory, and reject with an `ExportError` or a file system error. */
export function createExporter(
  staticSite: StaticSite,
  directory: ExportDirectory,
  options: ExportOptions,
) {
  const { idHost, publicUrl, staticLanguages: languages = [] } = staticSite.site
  const { isPrecompressed, hasDirectories = false, hold, signal } = options
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
  const source = createSource(staticSite, prefix, signal)
  const writer = createWriter(directory, isPrecompressed)
  const exported = createFileExport(staticSite, { directory, source, writer }, options)
  const extra = createExtraFiles(staticSite, { directory, writer, prefix }, options)
  const placed = (file: StaticFile) => (hasDirectories ? inDirectory(file) : file)
  const unchanged = createUnchangedExport(directory, staticSite, options)

  return {
    async all(report?: Report) {
      await hold()
      const inputs = unchanged.inputs()
      const { feeds, listed } = await listFiles(staticSite, source)
      const staticFiles = listed.map(placed)
      const possible = staticFiles.flatMap(({ file }) => writer.namesOf(file))
      await directory.begin([...extra.names, ...possible], idHost)
      const { done, headers, ...first } = await writeFiles(staticFiles, exported, options, report)
      const { published, ...second } = await extra.write(done, feeds)
      const names = published.flatMap(({ file, headers: kept }) =>
        writer.namesOf(file, headerOf(kept, 'Content-Type')),
      )
      const files = [...names, ...extra.rulesFiles]
      const removed = await directory.finish({ idHost, files, headers })
      const count = published.length + extra.rulesFiles.length
      await unchanged.remember({ inputs, files, count, picturesUntil: first.picturesUntil })
      const written = first.written + second.written
      return { written, unchanged: count - written, removed }
    },
    /** Writes only the board if nothing else has changed since the last export. Otherwise, returns undefined. */
    async ifUnchanged() {
      await hold()
      const count = await unchanged.count(unchanged.inputs())
      if (count === undefined) return undefined
      const written = await writeBoard()
      return { written, unchanged: count - written, removed: 0 }
    },
    board: writeBoard,
  }

  /** Writes only the board, and its pictures if they may have changed. */
  async function writeBoard(): Promise<number> {
    await hold()
    const hasPictures = await unchanged.isPictureDue()
    const files = hasPictures ? [...boardPicturesOf(staticSite), ...boardFiles] : boardFiles
    let written = 0
    let picturesUntil = Infinity
    for (const file of files) {
      for (const each of [...languages.map((language) => translated(language)(file)), file]) {
        const one = await exported(each)
        if (one?.isWritten) written += 1
        picturesUntil = Math.min(picturesUntil, one?.validUntil ?? Infinity)
      }
    }
    if (hasPictures) await unchanged.rememberPictures(picturesUntil)
    return written
  }
}

type Source = ReturnType<typeof createSource>

/** Lists the files that the service has, and keeps their feeds ready. */
async function listFiles(staticSite: StaticSite, source: Source) {
  const { site, shownFeeds, combinedFeeds, representations } = staticSite
  const { staticLanguages: languages = [] } = site
  const feeds = shownFeeds()
  const contents = await Promise.all(feeds.map((feed) => source.contentsOf(feed)))
  const targets = plainTargets(feeds, combinedFeeds, 'public')
  representations.keepReady(
    [...targets, ...contents.flatMap(partTargets)].flatMap((target) =>
      [undefined, ...languages].map((language) => inLanguage(target, language)),
    ),
  )
  const combined = targets.filter(({ feed }) => combinedFeeds.includes(feed))
  const pictures = await source.picturePaths(contents)
  return { feeds, listed: staticFilesOf(staticSite, contents, combined, pictures) }
}

/** Writes files that the service has. `picturesUntil` is when the first picture of the board changes. */
async function writeFiles(
  staticFiles: readonly StaticFile[],
  exported: ReturnType<typeof createFileExport>,
  { hold, signal }: ExportOptions,
  report?: Report,
) {
  const done: PublishedFile[] = []
  const headers: Record<string, [name: string, value: string][]> = {}
  let written = 0
  let picturesUntil = Infinity
  for (const [index, staticFile] of staticFiles.entries()) {
    signal.throwIfAborted()
    await hold()
    report?.('Writing files', index, staticFiles.length)
    const one = await exported(staticFile)
    if (!one) continue
    done.push(one.published)
    picturesUntil = Math.min(picturesUntil, one.validUntil)
    if (one.isWritten) written += 1
    if (staticFile.presence === 'once') headers[staticFile.file] = one.published.headers
  }
  return { done, headers, written, picturesUntil }
}

/** Returns a function that writes a file of a site, or resolves to undefined if it does not exist. */
function createFileExport(
  { site }: StaticSite,
  {
    directory,
    source,
    writer,
  }: { readonly directory: ExportDirectory; readonly source: Source; readonly writer: FileWriter },
  { hasDirectories = false, log }: ExportOptions,
) {
  async function renderedFile({ asked, path, file, presence }: StaticFile) {
    const { status, headers, bytes } = await source.file(asked)
    if (status !== (path === '/404.html' ? 404 : 200)) {
      const isMissing = status === 404 || status === 501
      if (!isMissing || presence === 'always') throw notRendered(asked, status)
      if (presence === 'once') log.warn({ file }, 'a picture is missing')
      return undefined
    }
    const isMoved = hasDirectories && file.endsWith('/index.html') && !path.endsWith('/')
    const content = isMoved ? withBase(bytes, site.publicUrl + path) : bytes
    const published = { path, file, headers: headersToKeep(headers) }
    return { published, bytes: content, validUntil: validUntil(headers) }
  }

  return async (staticFile: StaticFile) => {
    const { path, file, presence } = staticFile
    const known = directory.manifest().headers[file]
    if (presence === 'once' && known && (await directory.has(file))) {
      const published = { path, file, headers: known }
      return { published, isWritten: false, validUntil: Infinity }
    }
    const rendered = await renderedFile(staticFile)
    if (!rendered) return undefined
    const { published, bytes, ...validity } = rendered
    const isWritten = await writer.write(file, bytes, headerOf(published.headers, 'Content-Type'))
    return { published, isWritten, ...validity }
  }
}

/** Returns the time until which a picture of the board stays the same if no record changes. */
function validUntil(headers: Headers): number {
  const expires = headers.get('Expires')
  if (expires === null) return Infinity
  // After this time, the picture says that the data is old.
  const oldAt = Date.parse(headers.get('Board-Read') ?? '') + amberAfterMs
  return Math.min(Date.parse(expires), oldAt)
}

/** Makes the links of a page in the directory `url` work as if it were a file. */
function withBase(page: Buffer, url: string): Buffer {
  const text = page
    .toString()
    .replaceAll(' href="#', () => ` href="${url}/#`)
    .replace('<head>', () => `<head>\n<base href="${url}">`)
  return Buffer.from(text)
}

function createSource(staticSite: StaticSite, prefix: string, signal: AbortSignal) {
  const { site, overviews, collections } = staticSite
  /** Pages by path, fetched to find their pictures and cached until they are written. */
  const pages = new Map<string, FetchedFile>()

  async function boardPicturePaths(): Promise<readonly string[]> {
    const response = await staticSite.ask('/board/screen.json')
    if (!response.ok) throw notRendered('/board/screen.json', response.status)
    const { items } = (await response.json()) as BoardContent
    return items.flatMap(({ pictureUrl }) => pictureUrl?.slice(site.publicUrl.length) ?? [])
  }

  async function fetched(asked: string): Promise<FetchedFile> {
    const response = await staticSite.ask(asked)
    const { status, headers } = response
    return { status, headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  /** Returns the paths of pictures on the home page, in embeds and on item pages. */
  async function pagePicturePaths(contents: readonly FeedContents[]): Promise<readonly string[]> {
    const paths: string[] = []
    const feedPaths = contents
      .filter(({ feed }) => feed.formats.includes('rss'))
      .flatMap(({ feed, recordIds }) => [
        `/embed/${feed.id}`,
        ...recordIds.map((id) => `/${feed.id}/${id}`),
      ])
    for (const asked of ['/', ...feedPaths]) {
      signal.throwIfAborted()
      const page = await fetched(asked)
      pages.set(asked, page)
      for (const [image] of page.bytes.toString().matchAll(/<img [^<>]*>/g)) {
        for (const [, path = ''] of image.matchAll(picturePattern)) {
          paths.push(path.slice(prefix.length))
        }
      }
    }
    return paths
  }

  return {
    async contentsOf(feed: Feed): Promise<FeedContents> {
      const { parts } = await overviews.read(feed, 'public')
      const { records } = await collections.read(feed.resource)
      return { feed, parts, recordIds: records.map(({ id }) => id) }
    },
    async picturePaths(contents: readonly FeedContents[]): Promise<ReadonlySet<string>> {
      // A failed export may have left pages behind.
      pages.clear()
      return new Set([...(await boardPicturePaths()), ...(await pagePicturePaths(contents))])
    },
    async file(asked: string): Promise<FetchedFile> {
      const page = pages.get(asked)
      pages.delete(asked)
      return page ?? fetched(asked)
    },
  }
}

function createWriter(directory: ExportDirectory, isPrecompressed: boolean): FileWriter {
  const hasCopies = (type: string) => isPrecompressed && isCompressible(type)
  return {
    // After the compressed copies, so that all three are rewritten after a crash.
    async write(file, bytes, type) {
      if (!hasCopies(type)) return directory.write(file, bytes)
      const exist = await Promise.all(
        compressedEndings.map((ending) => directory.has(`${file}${ending}`)),
      )
      if (exist.every(Boolean) && (await directory.isCurrent(file, bytes))) return false
      await directory.write(`${file}.gz`, await gzipped(bytes))
      await directory.write(`${file}.br`, await brotlied(bytes))
      return directory.write(file, bytes)
    },
    namesOf: (file, type = 'text/html') =>
      (hasCopies(type) ? ['', ...compressedEndings] : ['']).map((ending) => file + ending),
  }
}

function partTargets({ feed, parts }: FeedContents): readonly Target[] {
  return parts.flatMap((part) =>
    feed.formats.map((format) =>
      targetOf(feed, [feed], {
        chosen: partOptions(feed, format, part),
        format,
        profile: 'public',
      }),
    ),
  )
}

function notRendered(asked: string, status: number): ExportError {
  return new ExportError(
    `${asked} could not be rendered (${status}), so the export is incomplete. No files were removed.`,
  )
}
