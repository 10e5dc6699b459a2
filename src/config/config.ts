import { resolve } from 'node:path'
import type { z } from 'zod'
import type { Place } from '../feeds/feed.ts'
import type { ItemLinks } from '../feeds/item-links.ts'
import type { LogLevel } from '../log.ts'
import { parsedSettings } from './parsed-settings.ts'
import { readValues, type Environment, type SettingValues } from './environment.ts'
import { throwIfFaults } from './config-error.ts'
import {
  requiredWithSiteUrl,
  unusedWithoutSiteUrl,
  serverSettingsSchema,
  siteSettingsSchema,
} from './settings.ts'

/** The website to read. */
export type SiteSettings = {
  /** Origin, https. */
  readonly url: string
  readonly refreshToken: string
  /** The file it comes from, which may get another one while Feedhouse runs. */
  readonly refreshTokenFile?: string | undefined
  readonly name: string
  /** IANA zone of the site's dates and times. */
  readonly timeZone: string
  /** Certificate authorities to trust beside those Node trusts, PEM. */
  readonly caPem: string | undefined
  readonly links: ItemLinks
  /** Addresses and positions of places that records name. */
  readonly places?: readonly Place[] | undefined
}

/** A site as far as ids go. */
export type IdentifiedSite = {
  readonly siteUrl: string
  /** The setting ID_HOST. */
  readonly idHost: string | undefined
}

/** What is set for a site. */
export type SiteConfig = {
  /** Undefined for the demo: the sandbox is the website. */
  readonly site: SiteSettings | undefined
  /** The host in all ids; undefined for the one that is kept, or first that of the website. */
  readonly idHost?: string | undefined
  /** Other sites, whose stores may lie in the same place. */
  readonly otherSites?: readonly IdentifiedSite[]
  readonly callsPerMinute: number
  readonly callsPerDay: number
  readonly freshMs: number
  /** How many days before and after today calendars, events and rental bookings are kept. */
  readonly window: { readonly pastDays: number; readonly futureDays: number }
  /** Undefined for the default, which is another in the demo. */
  readonly publicFeeds: readonly string[] | undefined
  /** Undefined for the address that is listened on. */
  readonly publicUrl: string | undefined
  /** WebSub hubs that are told when public news feeds change. */
  readonly hubs: readonly string[]
  /** Undefined for no admin page. */
  readonly adminPassword: string | undefined
}

/** What is set for the process. */
export type ServerConfig = {
  readonly host: string
  readonly port: number
  /** How many proxies stand in front and name the client's address. */
  readonly proxies: number
  readonly dataDirectory: string
  /** Redis instead of SQLite files in the data directory. */
  readonly redisUrl: string | undefined
  readonly logLevel: LogLevel
}

export type Config = SiteConfig & ServerConfig

/** Feeds anyone may read on a real site, unless `PUBLIC_FEEDS` says otherwise. */
export const defaultPublicFeeds = ['events', 'news']

/** Least length of `ADMIN_PASSWORD` where everybody can try it. */
export const minPasswordLength = 12

/** Reads and checks all settings of one site; throws one `ConfigError` with every fault, those known already too. */
export function readConfig(
  environment: Environment,
  known: readonly string[] = [],
  directory = '.',
): Config {
  const values = readValues(environment, directory)
  const [site, server] = [readSite(values), readServer(values, directory)]
  throwIfFaults([...known, ...values.faults, ...site.faults, ...server.faults])
  return { ...site.config, ...server.config }
}

/** A config can be used where there are no faults. */
export type Reading<T> = { readonly config: T; readonly faults: readonly string[] }

export function readServer({ values }: SettingValues, directory = '.'): Reading<ServerConfig> {
  const { settings, faults } = parsedSettings(serverSettingsSchema, values)
  return {
    faults,
    config: {
      host: settings.HOST,
      port: settings.PORT,
      proxies: settings.TRUST_PROXY,
      dataDirectory: resolve(directory, settings.DATA_DIR),
      redisUrl: settings.REDIS_URL,
      logLevel: settings.LOG_LEVEL,
    },
  }
}

export function readSite({ values }: SettingValues): Reading<SiteConfig> {
  const { settings, faults } = parsedSettings(siteSettingsSchema, values)
  return {
    faults: [...faults, ...siteFaults(values), ...passwordFaults(settings)],
    config: {
      site: siteFrom(settings, values['SITE_REFRESH_TOKEN_FILE']),
      idHost: settings.ID_HOST,
      callsPerMinute: settings.CALLS_PER_MINUTE,
      callsPerDay: settings.CALLS_PER_DAY,
      freshMs: settings.FRESH_SECONDS * 1000,
      window: { pastDays: settings.PAST_DAYS, futureDays: settings.FUTURE_DAYS },
      publicFeeds: settings.PUBLIC_FEEDS,
      publicUrl: settings.PUBLIC_URL,
      hubs: settings.WEBSUB_HUBS ?? [],
      adminPassword: settings.ADMIN_PASSWORD,
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
  return { url, refreshToken, refreshTokenFile, name, timeZone, caPem, links, places }
}

/** Behind https anybody on the internet can try passwords. */
function passwordFaults(settings: z.infer<typeof siteSettingsSchema>): readonly string[] {
  const { ADMIN_PASSWORD: password, PUBLIC_URL: publicUrl } = settings
  if (password === undefined || !publicUrl?.startsWith('https:')) return []
  if (password.length >= minPasswordLength) return []
  return [
    `ADMIN_PASSWORD must have at least ${minPasswordLength} characters when PUBLIC_URL is https.`,
  ]
}

/** A real site is configured whole, so that a forgotten setting does not start the demo. */
function siteFaults(values: SettingValues['values']): readonly string[] {
  return values['SITE_URL'] === undefined
    ? unusedWithoutSiteUrl
        .filter((name) => values[name] !== undefined)
        .map((name) => `${name} is set, but SITE_URL is not.`)
    : requiredWithSiteUrl
        .filter((name) => values[name] === undefined && values[`${name}_FILE`] === undefined)
        .map((name) => `${name} must be set together with SITE_URL.`)
}
