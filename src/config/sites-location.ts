import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from './config-error.ts'
import { readServer } from './config.ts'
import { readValues, type Environment } from './environment.ts'
import { readSitesFile } from './sites-file.ts'
import { isUrl } from './value-schemas.ts'

const copyName = '_sites-file.json'

export type SitesLocation = {
  /** The setting for messages and `/status`. Only the origin of a URL, because its path can be secret. */
  readonly name: string
  /** URL to download the sites file from, or undefined if `path` is the file itself. */
  readonly url: string | undefined
  /** The sites file, or the copy of the latest valid download. */
  readonly path: string
  /** Directory that relative paths in the settings of sites are resolved against. */
  readonly directory: string
}

const sitesCopy = z.object({
  url: z.string(),
  etag: z.string().exactOptional(),
  /** When this version was first used, as ISO 8601. */
  since: z.iso.datetime(),
  text: z.string(),
})

export type SitesCopy = Readonly<z.infer<typeof sitesCopy>>

/** Where the sites file in use was downloaded from. Times are ISO 8601. */
export type SitesFileStatus = {
  readonly source: string
  /** When this version was first used. */
  readonly since: string | null
  /** When the server last confirmed that its version is the newest. */
  readonly checkedAt: string | null
}

export function hasSitesFile({ SITES_FILE: file = '' }: Environment): boolean {
  return file.trim() !== ''
}

export function sitesLocation(environment: Environment, directory = '.'): SitesLocation {
  const file = environment['SITES_FILE']?.trim() ?? ''
  const url = isUrl(file) ? URL.parse(file) : null
  if (!url) {
    const path = resolve(directory, file)
    return { name: file, url: undefined, path, directory: resolve(path, '..') }
  }
  const { DATA_DIR } = environment
  const { config } = readServer(readValues({ DATA_DIR }, directory), directory)
  return {
    name: url.origin,
    url: url.href,
    path: join(config.dataDirectory, copyName),
    directory: resolve(directory),
  }
}

/** Returns the latest valid text on this machine. Throws a `ConfigError` if there is none. */
export function readSitesText(location: SitesLocation): string {
  if (location.url === undefined) return readSitesFile(location.name, location.path)
  const copy = readSitesCopy(location)
  if (copy) return copy.text
  throw new ConfigError([
    `SITES_FILE ${location.name} has not been downloaded to DATA_DIR on this machine yet. Start Feedhouse first.`,
  ])
}

/** Returns the copy of the latest valid download, or undefined if there is none for this URL. */
export function readSitesCopy({ url, path }: SitesLocation): SitesCopy | undefined {
  try {
    const { data } = sitesCopy.safeParse(JSON.parse(readFileSync(path, 'utf8')))
    return data?.url === url ? data : undefined
  } catch {
    // It is missing or damaged, and will be downloaded again.
    return undefined
  }
}
