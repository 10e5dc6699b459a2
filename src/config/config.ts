import { resolve } from 'node:path'
import type { z } from 'zod'
import type { Place } from '../calendar/place.ts'
import type { DatabaseSettings } from '../feeds/database-settings.ts'
import type { IdentitySettings } from '../feeds/identity.ts'
import type { ItemLinks } from '../feeds/site.ts'
import type { LogLevel } from '../log.ts'
import { readValues, type Environment, type SettingValues } from './environment.ts'
import { throwIfFaults } from './config-error.ts'
import {
  notificationFaults,
  type NotificationSettings,
  notificationsFrom,
  type SmtpServer,
} from './notification-settings.ts'
import {
  parseSettings,
  requiredWithSiteUrl,
  unusedWithoutSiteUrl,
  serverSettingsSchema,
  siteSettingsSchema,
} from './settings.ts'

export type SiteSettings = {
  /** Https origin. */
  readonly url: string
  readonly refreshToken: string
  /** File with the token, which may be replaced while Feedhouse runs. */
  readonly refreshTokenFile?: string | undefined
  readonly name: string
  readonly identity?: IdentitySettings
  /** IANA time zone of the site's dates and times. */
  readonly timeZone: string
  /** Certificate authorities, as PEM, to trust in addition to Node's. */
  readonly caPem: string | undefined
  readonly links: ItemLinks
  /** Postal addresses and coordinates of places named in records. */
  readonly places?: readonly Place[] | undefined
  readonly databases?: readonly DatabaseSettings[] | undefined
}

export type SiteConfig = {
  /** Undefined in the demo, in which the sandbox is the website. */
  readonly site: SiteSettings | undefined
  /**
   * Host used in all ids. If undefined, Feedhouse uses the stored host, or the website's host on
   * the first start.
   */
  readonly idHost?: string | undefined
  /**
   * Hosts and id hosts of the sites in the sites file, whose stores may be in the same directory or Redis
   * server. Undefined if there are no other sites.
   */
  readonly configuredHosts?: ReadonlySet<string> | undefined
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly freshMs: number
  /** Number of days before and after today for which calendar entries, events and rentals are kept. */
  readonly window: { readonly pastDays: number; readonly futureDays: number }
  /** If undefined, the default applies, which is different in the demo. */
  readonly publicFeeds: readonly string[] | undefined
  /** If undefined, the URL that the server listens on is used. */
  readonly publicUrl: string | undefined
  /** True if the county page lists the site. */
  readonly isInCounty: boolean
  /** WebSub hubs to notify when a public news feed changes. */
  readonly hubs: readonly string[]
  /** If undefined, there is no admin page. */
  readonly adminPassword: string | undefined
  readonly notifications: NotificationSettings
}

export type ServerConfig = {
  readonly host: string
  readonly port: number
  /** Number of trusted proxies in front of the service, each of which adds to `X-Forwarded-For`. */
  readonly proxies: number
  readonly dataDirectory: string
  /** URL of a Redis server to use instead of SQLite files. */
  readonly redisUrl: string | undefined
  readonly smtp: SmtpServer | undefined
  /** Number of worker processes for several sites; chosen automatically if undefined. */
  readonly workers?: number | undefined
  /** URL below which the page with all sites is served, in addition to the server's own addresses. */
  readonly sitesUrl?: string | undefined
  /** Name of the county page; if undefined, there is no such page. */
  readonly countyName?: string | undefined
  /** If undefined, there is no page with all sites. */
  readonly sitesPassword?: string | undefined
  readonly logLevel: LogLevel
}

export type Config = SiteConfig & ServerConfig

/** Returns the directory with the SQLite stores; undefined with Redis. */
export function storeDirectory({ dataDirectory, redisUrl }: ServerConfig): string | undefined {
  return redisUrl === undefined ? dataDirectory : undefined
}

/** Minimum length of `ADMIN_PASSWORD` when the service is public. */
export const minPasswordLength = 12

/** Reads and validates all settings for one site. Throws a single `ConfigError` with all faults, including
 * those in `known`. */
export function readConfig(
  environment: Environment,
  known: readonly string[] = [],
  directory = '.',
): Config {
  const values = readValues(environment, directory)
  const server = readServer(values, directory)
  const site = readSite(values, server.config)
  const unused =
    values.values['COUNTY_LISTING'] === undefined
      ? []
      : ['COUNTY_LISTING is set, but SITES_FILE is not.']
  throwIfFaults([...known, ...values.faults, ...site.faults, ...server.faults, ...unused])
  return { ...site.config, ...server.config }
}

/** A config and its faults. The config is usable only if there are no faults. */
export type Reading<T> = { readonly config: T; readonly faults: readonly string[] }

export function readServer({ values }: SettingValues, directory = '.'): Reading<ServerConfig> {
  const { settings, faults } = parseSettings(serverSettingsSchema, values)
  const { SITES_PASSWORD: password, SITES_URL: sitesUrl } = settings
  return {
    faults: [...faults, ...lengthFaults('SITES', password, sitesUrl), ...sitesFaults(settings)],
    config: {
      host: settings.HOST,
      port: settings.PORT,
      proxies: settings.TRUST_PROXY,
      dataDirectory: resolve(directory, settings.DATA_DIR),
      redisUrl: settings.REDIS_URL,
      smtp: settings.SMTP_URL,
      workers: settings.MAKERS,
      sitesUrl,
      countyName: settings.COUNTY_NAME,
      sitesPassword: password,
      logLevel: settings.LOG_LEVEL,
    },
  }
}

export function readSite(
  { values }: SettingValues,
  { smtp }: Partial<ServerConfig> = {},
): Reading<SiteConfig> {
  const { settings, faults } = parseSettings(siteSettingsSchema, values)
  return {
    faults: [
      ...faults,
      ...siteFaults(values),
      ...lengthFaults('ADMIN', settings.ADMIN_PASSWORD, settings.PUBLIC_URL),
      ...notificationFaults(settings, smtp),
    ],
    config: {
      site: siteFrom(settings, values['SITE_REFRESH_TOKEN_FILE']),
      idHost: settings.ID_HOST,
      callsPerMinute: settings.CALLS_PER_MINUTE,
      callsPerDay: settings.CALLS_PER_DAY,
      freshMs: settings.FRESH_SECONDS * 1000,
      window: { pastDays: settings.PAST_DAYS, futureDays: settings.FUTURE_DAYS },
      publicFeeds: settings.PUBLIC_FEEDS,
      publicUrl: settings.PUBLIC_URL,
      isInCounty: settings.COUNTY_LISTING === 'yes',
      hubs: settings.WEBSUB_HUBS ?? [],
      adminPassword: settings.ADMIN_PASSWORD,
      notifications: notificationsFrom(settings, smtp),
    },
  }
}

function siteFrom(
  settings: z.infer<typeof siteSettingsSchema>,
  refreshTokenFile: string | undefined,
): SiteSettings | undefined {
  const { SITE_URL: url, SITE_REFRESH_TOKEN: refreshToken, SITE_TIME_ZONE: timeZone } = settings
  if (url === undefined || refreshToken === undefined || timeZone === undefined) return undefined
  const name = settings.SITE_NAME ?? new URL(url).hostname
  const { SITE_CA_FILE: caPem, SITE_LINKS: links = {}, PLACES: places } = settings
  const { DATABASE_FEEDS: databases } = settings
  const identity = {
    color: settings.SITE_COLOR,
    place: settings.SITE_PLACE,
    logo: settings.SITE_LOGO,
  }
  const shown = { name, identity, timeZone, links, places, databases }
  return { url, refreshToken, refreshTokenFile, caPem, ...shown }
}

/**
 * Checks the length of a password if the URL of its page is https, because the page is then probably on
 * the internet.
 */
function lengthFaults(
  page: 'ADMIN' | 'SITES',
  password: string | undefined,
  url: string | undefined,
): readonly string[] {
  if (password === undefined || !url?.startsWith('https:')) return []
  if (password.length >= minPasswordLength) return []
  const urlName = page === 'ADMIN' ? 'PUBLIC_URL' : 'SITES_URL'
  return [
    `${page}_PASSWORD must have at least ${minPasswordLength} characters when ${urlName} is https.`,
  ]
}

/**
 * Reports settings for several sites without a sites file, because they are probably misspelled, and a
 * county page without a URL.
 */
function sitesFaults(settings: z.infer<typeof serverSettingsSchema>): readonly string[] {
  const { SITES_FILE: file, SITES_URL: url, COUNTY_NAME: county } = settings
  if (file !== undefined) {
    const isAnywhere = county === undefined || url !== undefined
    return isAnywhere ? [] : ['COUNTY_NAME is set, but SITES_URL is not.']
  }
  return (['SITES_PASSWORD', 'SITES_URL', 'COUNTY_NAME'] as const)
    .filter((name) => settings[name] !== undefined)
    .map((name) => `${name} is set, but SITES_FILE is not.`)
}

/** Requires all settings for a real site, so that a missing one does not start the demo. */
function siteFaults(values: SettingValues['values']): readonly string[] {
  return values['SITE_URL'] === undefined
    ? unusedWithoutSiteUrl
        .filter((name) => values[name] !== undefined)
        .map((name) => `${name} is set, but SITE_URL is not.`)
    : requiredWithSiteUrl
        .filter((name) => values[name] === undefined && values[`${name}_FILE`] === undefined)
        .map((name) => `${name} is missing. It is required with SITE_URL.`)
}
