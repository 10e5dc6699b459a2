import type { Feed } from '../feeds/feed.ts'
import type { Language } from '../records/messages.ts'
import type { ExportDirectory } from './export-directory.ts'
import { headerOf, renderRules, rulesFilesFor, type PublishedFile } from './header-rules.ts'
import { renderSitemap } from './sitemap.ts'
import { directoriesOf } from './static-files.ts'
import type { StaticSite } from './static-site.ts'

const sitemapFile = 'sitemap.xml'
const sitemapType = 'application/xml; charset=utf-8'

const linkType = 'text/html; charset=utf-8'

export type FileWriter = {
  /** Writes a file and its compressed copies. Resolves to false if they are unchanged. */
  readonly write: (file: string, bytes: Buffer, type: string) => Promise<boolean>
  /** Returns the names of a file and its compressed copies. */
  readonly namesOf: (file: string, type?: string) => readonly string[]
}

/** Returns a function that writes the files that the service does not have: sitemap, links and rules. */
export function createExtraFiles(
  { site }: StaticSite,
  {
    directory,
    writer,
    prefix,
  }: { readonly directory: ExportDirectory; readonly writer: FileWriter; readonly prefix: string },
  {
    isPrecompressed,
    hasDirectories = false,
  }: { readonly isPrecompressed: boolean; readonly hasDirectories?: boolean | undefined },
) {
  const { staticLanguages: languages = [] } = site
  const rulesFiles = rulesFilesFor(hasDirectories)
  const boardLinks = hasDirectories ? boardLinksIn(languages, prefix) : []
  const named = [sitemapFile, ...boardLinks.map(({ file }) => file)]
  return {
    rulesFiles,
    names: [...named.flatMap((file) => writer.namesOf(file)), ...rulesFiles],
    /** Returns all published files except the rules, and the number of files that it wrote. */
    async write(done: readonly PublishedFile[], feeds: readonly Feed[]) {
      let written = 0
      const sitemap = Buffer.from(renderSitemap(listedPaths(done, languages), site))
      if (await writer.write(sitemapFile, sitemap, sitemapType)) written += 1
      for (const { file, bytes } of boardLinks) {
        if (await writer.write(file, bytes, linkType)) written += 1
      }
      const sitemaps = done.filter(({ path }) => path === '/feeds').map(sitemapLike)
      const published = [...sitemaps, ...done, ...boardLinks.map(linkLike)]
      const directories = directoriesOf(feeds, languages)
      const rules = renderRules(published, directories, prefix, { isPrecompressed, hasDirectories })
      for (const file of rulesFiles) {
        if (await directory.write(file, Buffer.from(rules[file]))) written += 1
      }
      return { published, written }
    },
  }
}

const linkLike = ({ file }: { readonly file: string }): PublishedFile => ({
  path: `/${file}`,
  file,
  headers: [['Content-Type', linkType]],
})

/** Returns the sitemap as a published file. It has a page's headers, because the service has no sitemap. */
function sitemapLike({ headers }: PublishedFile): PublishedFile {
  const own = headers.map(
    ([name, value]) => [name, name === 'Content-Type' ? sitemapType : value] as const,
  )
  return { path: `/${sitemapFile}`, file: sitemapFile, headers: own }
}

/** Returns the paths of pages for search engines, in the website's language. */
function listedPaths(
  files: readonly PublishedFile[],
  languages: readonly Language[],
): readonly string[] {
  const unlisted = ['404.html', 'board', 'embed', ...languages]
  return files
    .filter(({ headers }) => headerOf(headers, 'Content-Type').startsWith('text/html'))
    .map(({ path }) => path)
    .filter((path) => !unlisted.includes(path.split('/')[1] ?? ''))
}

/** Returns pages at `/board` that redirect to the board, whose relative paths would not work in a directory. */
function boardLinksIn(languages: readonly Language[], prefix: string) {
  return ['', ...languages.map((language) => `${language}/`)].map((folder) => ({
    file: `${folder}board/index.html`,
    bytes: Buffer.from(linkPage(`${prefix}/${folder}board.html`)),
  }))
}

/** Returns a page that redirects to another one. Without scripts, it drops the options in the URL. */
function linkPage(path: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Board</title>
<script>location.replace(${JSON.stringify(path)} + location.search + location.hash)</script>
<meta http-equiv="refresh" content="0; url=${path}">
<a href="${path}">Board</a>
</html>
`
}
