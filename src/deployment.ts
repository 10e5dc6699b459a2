import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  byteOrderMark,
  ConfigError,
  readConfig,
  readServer,
  readSite,
  readValues,
  throwAny,
  type Config,
  type Environment,
  type Reading,
  type ServerConfig,
  type SiteConfig,
  type SiteSettings,
} from './config.ts'
import { secretNames, siteSettingsSchema } from './settings.ts'

/** Each takes memory and time of the one process. */
const maxSites = 1_000

/** Several sites in one process, each with settings of its own. */
export type Deployment = { readonly server: ServerConfig; readonly sites: readonly NamedSite[] }

/** A site among several: its website and its own address are set. */
export type NamedSite = {
  /** For commands, the log and metrics. */
  readonly name: string
  readonly config: SiteConfig & { readonly site: SiteSettings; readonly publicUrl: string }
}

type SiteReading = Reading<{ readonly name: string; readonly config: SiteConfig }>

const isSiteName = /^[a-z\d][a-z\d-]{0,39}$/

const siteSettingNames = new Set([
  ...Object.keys(siteSettingsSchema.shape),
  ...secretNames.filter((name) => name in siteSettingsSchema.shape).map((name) => `${name}_FILE`),
])

/** Whether the settings are those of several sites. */
export function hasSitesFile({ SITES_FILE: file = '' }: Environment): boolean {
  return file.trim() !== ''
}

/**
 * Reads the settings of the process, and those of each site from `SITES_FILE`: a JSON object with the
 * settings of a site under its name. Throws one `ConfigError` with every fault, those known already too.
 */
export function readDeployment(
  environment: Environment,
  known: readonly string[] = [],
): Deployment {
  const file = environment['SITES_FILE']?.trim() ?? ''
  const values = readValues(environment)
  const server = readServer(values)
  const misplaced = Object.keys(values.values)
    .filter((name) => siteSettingNames.has(name))
    .map((name) => `${name} is set beside SITES_FILE; set it there, for each site.`)
  const readings = listedSites(file).map(([name, settings]) =>
    readNamedSite(name, settings, dirname(file)),
  )
  const sites = readings.map(({ config }) => config)
  throwAny([
    ...[...known, ...values.faults, ...server.faults, ...misplaced],
    ...readings.flatMap(({ faults }) => faults),
    ...clashes(sites),
  ])
  return { server: server.config, sites: sites.filter(isComplete) }
}

/** The settings of the one site, or, of several, of the named one. Throws a `ConfigError`. */
export function readSiteConfig(
  environment: Environment,
  name: string | undefined,
  known: readonly string[] = [],
): Config {
  if (!hasSitesFile(environment)) {
    throwAny(
      name === undefined ? [] : ['--site names one of several sites; SITES_FILE is not set.'],
    )
    return readConfig(environment, known)
  }
  const { server, sites } = readDeployment(environment, known)
  const named = sites.find((site) => site.name === name)
  if (named) return { ...named.config, ...server }
  const there = sites.map((site) => site.name).join(', ')
  throw new ConfigError([
    name === undefined
      ? `SITES_FILE has several sites; name one by --site: ${there}.`
      : `SITES_FILE has no site ${name}; it has: ${there}.`,
  ])
}

function listedSites(file: string): readonly (readonly [string, unknown])[] {
  const text = textOf(file)
  let listed: unknown
  try {
    listed = JSON.parse(text)
  } catch (error) {
    // What it says of a place in the file may quote a secret.
    const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0] ?? ''
    throw new ConfigError([`SITES_FILE ${file} is not JSON ${place}`.trim() + '.'])
  }
  const sites = isObject(listed) ? Object.entries(listed) : []
  if (sites.length > 0 && sites.length <= maxSites) return sites
  throw new ConfigError([
    `SITES_FILE ${file} must be a JSON object of 1 to ${maxSites} sites, the settings of each under its name.`,
  ])
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(byteOrderMark, '')
  } catch {
    throw new ConfigError([`SITES_FILE names a file that cannot be read: ${file}.`])
  }
}

function readNamedSite(name: string, listed: unknown, directory: string): SiteReading {
  const settings = isObject(listed) ? listed : {}
  const faults = Object.entries(settings).flatMap(([setting, value]) => {
    if (!siteSettingNames.has(setting)) return [`${setting} is no setting of a site.`]
    return isText(value) ? [] : [`${setting} must be a text or a number.`]
  })
  const texts = Object.entries(settings).filter(([, value]) => isText(value))
  const environment = Object.fromEntries(texts.map(([key, value]) => [key, String(value)]))
  const values = readValues(environment, directory)
  const { config, faults: wrong } = readSite(values)
  const missing = ['SITE_URL', 'PUBLIC_URL'].filter((each) => values.values[each] === undefined)
  const all = [
    ...(isSiteName.test(name)
      ? []
      : ['The name must be of a to z, 0 to 9 and hyphens, 40 at most.']),
    ...(isObject(listed) ? [] : ['Its settings must be a JSON object.']),
    ...[...faults, ...values.faults, ...wrong],
    ...missing.map((each) => `${each} must be set.`),
  ]
  return { config: { name, config }, faults: all.map((fault) => `Site ${name}: ${fault}`) }
}

/** What two sites cannot share: the website, whose budget it is, and the address. */
function clashes(sites: readonly { readonly name: string; readonly config: SiteConfig }[]) {
  const faults: string[] = []
  const byPlace = new Map<string, string>()
  function take(place: string | undefined, name: string, fault: (other: string) => string): void {
    if (place === undefined) return
    const other = byPlace.get(place)
    if (other === undefined) byPlace.set(place, name)
    else faults.push(`Site ${name}: ${fault(other)}`)
  }
  for (const { name, config } of sites) {
    const { site, publicUrl } = config
    take(site && new URL(site.url).host, name, (other) => `SITE_URL is that of ${other}, too.`)
    take(publicUrl, name, (other) => `PUBLIC_URL is that of ${other}, too.`)
  }
  for (const { name, config } of sites) {
    if (config.publicUrl === undefined) continue
    const { origin, pathname } = new URL(config.publicUrl)
    const other = pathname === '/' ? undefined : byPlace.get(origin)
    if (other === undefined) continue
    faults.push(`Site ${name}: PUBLIC_URL is below that of ${other}; give that one a path, too.`)
  }
  return faults
}

function isComplete(site: {
  readonly name: string
  readonly config: SiteConfig
}): site is NamedSite {
  return site.config.site !== undefined && site.config.publicUrl !== undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
