import { isDeepStrictEqual } from 'node:util'
import { ConfigError, throwIfFaults } from './config-error.ts'
import {
  readConfig,
  readServer,
  readSite,
  type Config,
  type ServerConfig,
  type SiteConfig,
  type SiteSettings,
} from './config.ts'
import { readValues, type Environment } from './environment.ts'
import { misspelledIn } from './misspelled-settings.ts'
import { secretNames, siteSettingsSchema } from './settings.ts'
import { mountPointFrom } from './mount-point.ts'
import { isObject, sitesListedIn } from './sites-file.ts'
import { hasSitesFile, readSitesText, sitesLocation } from './sites-location.ts'

export type SitesConfig = {
  readonly server: ServerConfig
  readonly sites: readonly NamedSite[]
  /** Sites with invalid settings. The other sites are still served. */
  readonly faulty: readonly FaultySite[]
  /** Absolute paths of secret files named in site settings. */
  readonly secretFiles: readonly string[]
  readonly text: string
}

/** The settings for one of several sites. They always include SITE_URL and PUBLIC_URL. */
export type NamedSite = {
  /** Name in commands, logs and metrics. */
  readonly name: string
  readonly config: SiteConfig & { readonly site: SiteSettings; readonly publicUrl: string }
}

export type FaultySite = {
  readonly name: string
  readonly publicUrl: string | undefined
  /** One sentence for each error. */
  readonly faults: readonly string[]
}

type SiteReading = ReturnType<typeof readNamedSite>

const isSiteName = /^[a-z\d][a-z\d-]{0,39}$/

const secretFileNames = secretNames
  .filter((name) => name in siteSettingsSchema.shape)
  .map((name) => `${name}_FILE`)

const siteSettingNames = [...Object.keys(siteSettingsSchema.shape), ...secretFileNames]

/**
 * Reads the settings for the process, without the sites. Throws a `ConfigError` with all faults,
 * including those in `known`.
 */
export function readProcessConfig(
  environment: Environment,
  known: readonly string[] = [],
  directory = '.',
): ServerConfig {
  const values = readValues(environment, directory)
  const server = readServer(values, directory)
  const misplaced = Object.entries(environment)
    .filter(([name, value]) => siteSettingNames.includes(name) && value?.trim() !== '')
    .map(
      ([name]) =>
        `${name} cannot be set when SITES_FILE is set. Set it in that file, for each site.`,
    )
  throwIfFaults([...known, ...values.faults, ...server.faults, ...misplaced])
  return server.config
}

/**
 * Reads the settings for the process, and each site's settings from `SITES_FILE` or its text: a
 * JSON object of settings by site name. Throws a single `ConfigError` with all faults, including
 * those in `known`, if the process settings are invalid or no site can be served.
 */
export function readSitesConfig(
  environment: Environment,
  known: readonly string[] = [],
  directory = '.',
  knownText?: string,
): SitesConfig {
  const server = readProcessConfig(environment, known, directory)
  const location = sitesLocation(environment, directory)
  const text = knownText ?? readSitesText(location)
  const read = sitesListedIn(location.name, text).map(([name, settings]) =>
    readNamedSite(name, settings, location.directory, server),
  )
  throwIfFaults(sitesUrlFaults(server, read))
  const readings = read.map((reading) => withClashes(reading, read))
  const sites = readings.flatMap(({ name, config, faults }) => {
    const { site, publicUrl } = config
    if (!site || publicUrl === undefined || faults.length > 0) return []
    return [{ name, config: { ...config, site, publicUrl } }]
  })
  const faulty = readings
    .filter(({ faults }) => faults.length > 0)
    .map(({ name, config, faults }) => ({ name, publicUrl: config.publicUrl, faults }))
  if (sites.length === 0) throwIfFaults(faulty.flatMap(({ faults }) => faults))
  const secretFiles = readings.flatMap((reading) => reading.secretFiles)
  return { server, sites, faulty, secretFiles, text }
}

/** Reads the settings for the named site, or for the only one. Throws a `ConfigError`. */
export function readSiteConfig(
  environment: Environment,
  name: string | undefined,
  known: readonly string[] = [],
  directory = '.',
): Config {
  if (!hasSitesFile(environment)) {
    throwIfFaults(name === undefined ? [] : ['--site requires SITES_FILE, which is not set.'])
    return readConfig(environment, known, directory)
  }
  const config = readSitesConfig(environment, known, directory)
  const { sites, faulty } = config
  const named = sites.find((site) => site.name === name)
  if (named) return completeConfig(named, config)
  throwIfFaults(faulty.find((site) => site.name === name)?.faults ?? [])
  const names = [...sites, ...faulty].map((site) => site.name).join(', ')
  throw new ConfigError([
    name === undefined
      ? `SITES_FILE has several sites. Choose one with --site: ${names}.`
      : `Unknown site: ${name}. SITES_FILE has: ${names}.`,
  ])
}

export function completeConfig({ config }: NamedSite, { server, sites }: SitesConfig): Config {
  return { ...config, ...server, configuredHosts: configuredHosts(sites) }
}

/** Returns the hosts and id hosts of several sites, or undefined for a single one. */
export function configuredHosts(sites: readonly NamedSite[]): ReadonlySet<string> | undefined {
  if (sites.length < 2) return undefined
  const hosts = sites.flatMap(({ config }) => [new URL(config.site.url).host, config.idHost ?? []])
  return new Set(hosts.flat())
}

function readNamedSite(name: string, listed: unknown, directory: string, server: ServerConfig) {
  const settings = isObject(listed) ? Object.entries(listed) : []
  const texts = settings.filter(([, value]) => isText(value))
  const environment = Object.fromEntries(texts.map(([key, value]) => [key, String(value)]))
  const values = readValues(environment, directory)
  const { config, faults } = readSite(values, server)
  const missing = ['SITE_URL', 'PUBLIC_URL'].filter((each) => values.values[each] === undefined)
  const all = [
    ...(isSiteName.test(name)
      ? []
      : ['The name must consist of a to z, 0 to 9 and hyphens, at most 40 characters.']),
    ...(isObject(listed) ? [] : ['Its settings must be a JSON object.']),
    ...settings.flatMap(([setting, value]) => faultsOf(setting, value)),
    ...values.faults,
    ...faults,
    ...missing.map((each) => `${each} must be set.`),
  ]
  const { publicUrl } = config
  return {
    name,
    config,
    place: publicUrl === undefined ? undefined : mountPointFrom(publicUrl),
    secretFiles: secretFileNames.flatMap((each) => values.values[each] ?? []),
    faults: all.map((fault) => `Site ${name}: ${fault}`),
  }
}

function faultsOf(setting: string, value: unknown): readonly string[] {
  if (siteSettingNames.includes(setting)) {
    return isText(value) ? [] : [`${setting} must be a string or a whole number.`]
  }
  const [misspelled = `${setting} is not a setting for a site.`] = misspelledIn(
    'file',
    [setting],
    siteSettingNames,
  )
  return [misspelled]
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

/** Returns an error if a site is at the URL of the sites page or the county page, or hides it. */
function sitesUrlFaults(
  { sitesUrl, countyName }: ServerConfig,
  readings: readonly SiteReading[],
): readonly string[] {
  if (sitesUrl === undefined) return []
  const { host, name } = mountPointFrom(sitesUrl)
  const clash = readings.find(
    ({ place }) => place?.host === host && (place.name === name || place.name === ''),
  )
  if (clash) return [`SITES_URL is at the PUBLIC_URL of ${clash.name}: choose another URL.`]
  const hiding = readings.find(
    ({ place }) => place?.host === host && name === '' && /^\/county(?:\.|$)/.test(place.name),
  )
  return countyName !== undefined && hiding
    ? [`The county page is at the PUBLIC_URL of ${hiding.name}: choose another SITES_URL.`]
    : []
}

/** Adds an error for each value that must be unique but is already used by an earlier site. */
function withClashes(reading: SiteReading, all: readonly SiteReading[]): SiteReading {
  const before = all.slice(0, all.indexOf(reading))
  const { site } = reading.config
  const { place } = reading
  const faults = [...reading.faults]
  for (const { name, config, place: other } of before) {
    const add = (fault: string) => faults.push(`Site ${reading.name}: ${fault}`)
    if (site && site.url === config.site?.url) add(`SITE_URL is already used by ${name}.`)
    if (site && site.refreshToken === config.site?.refreshToken) {
      add(`SITE_REFRESH_TOKEN is already used by ${name}, so both sites would share its API calls.`)
    }
    if (hasSameIdHost(reading.config, config)) {
      add(`ID_HOST is already used by ${name}: each site needs its own.`)
    }
    if (!place || place.host !== other?.host) continue
    if (place.name === other.name) add(`PUBLIC_URL is already used by ${name}.`)
    else if (place.name === '' || other.name === '') {
      add(
        `PUBLIC_URL is on a host that ${name} already uses: give each site a path, like /${name}.`,
      )
    }
  }
  return { ...reading, faults }
}

/** Sites that differ only in the port may share an id host. */
function hasSameIdHost(some: SiteConfig, other: SiteConfig): boolean {
  if (some.idHost === undefined && other.idHost === undefined) return false
  const [host, otherHost] = [some, other].map(
    ({ idHost, site }) => idHost ?? (site && new URL(site.url).hostname),
  )
  return host !== undefined && host === otherHost
}

export function isSameSite(a: NamedSite, b: NamedSite): boolean {
  return isDeepStrictEqual(comparableSettings(a), comparableSettings(b))
}

/**
 * Returns the settings without a refresh token from a file, because a running site rereads the
 * file.
 */
function comparableSettings({ config }: NamedSite) {
  const { refreshToken, ...site } = config.site
  return { ...config, site, ownToken: site.refreshTokenFile === undefined && refreshToken }
}
