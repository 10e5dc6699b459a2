import { resolve } from 'node:path'
import type { z } from 'zod'
import type { IdentitySettings } from '../feeds/identity.ts'
import type { Website } from '../feeds/site.ts'
import { readValues, type Environment, type SettingValues } from './environment.ts'
import { throwIfFaults, unusedFaults } from './config-error.ts'
import { followFaults, followSettingsFrom } from './follow-settings.ts'
import { notificationFaults, notificationsFrom } from './notification-settings.ts'
import { readProfileSigner, type ProfileSignerFiles } from './profile-signer.ts'
import type { WebsiteAccess } from './refresh-token.ts'
import {
  parseSettings,
  requiredWithSiteUrl,
  unusedWithoutSiteUrl,
  serverSettingsSchema,
  siteSettingsSchema,
} from './settings.ts'
import { eachText, variableOf } from './text-settings.ts'
import { isUrl } from './value-schemas.ts'

export type SiteSettings = Website &
  WebsiteAccess & {
    readonly identity?: IdentitySettings
    /** BCP 47 tag. If undefined, the default applies. */
    readonly language?: string | undefined
    /** Certificate authorities, as PEM, to trust in addition to Node's. */
    readonly caPem: string | undefined
  }

export type SiteConfig = Readonly<ReturnType<typeof readSite>['config']> & {
  /**
   * Hosts and id hosts of the sites in the sites file, whose stores may be in the same directory or Redis
   * server. Undefined if there are no other sites.
   */
  readonly configuredHosts?: ReadonlySet<string> | undefined
}

export type ServerConfig = Readonly<ReturnType<typeof readServer>['config']>

export type Config = SiteConfig & ServerConfig

/** Returns the directory with the SQLite stores, or undefined with Redis. */
export function storeDirectory({ dataDirectory, redisUrl }: ServerConfig): string | undefined {
  return redisUrl === undefined ? dataDirectory : undefined
}

/** Minimum length of `ADMIN_PASSWORD` when the service is public. */
export const minPasswordLength = 12

/** Reads the settings for one site. Throws a `ConfigError` with all faults, known and new. */
export function readConfig(
  environment: Environment,
  known: readonly string[] = [],
  directory = '.',
): Config {
  const values = readValues(environment, directory)
  const server = readServer(values, directory)
  const site = readSite(values, server.config)
  const unused = unusedFaults(values.values, ['COUNTY_LISTING'], ['SITES_FILE'])
  throwIfFaults([...known, ...values.faults, ...site.faults, ...server.faults, ...unused])
  return { ...site.config, ...server.config }
}

/** Reads a config and its faults. The config is usable only if there are no faults. */
export function readServer({ values }: SettingValues, directory = '.') {
  const { settings, faults } = parseSettings(serverSettingsSchema, values)
  const { SITES_PASSWORD: password, SITES_URL: sitesUrl } = settings
  return {
    faults: [...faults, ...lengthFaults('SITES', password, sitesUrl), ...sitesFaults(settings)],
    config: {
      host: settings.HOST,
      port: settings.PORT,
      /** Number of trusted proxies in front of the service, each of which adds to `X-Forwarded-For`. */
      proxies: settings.TRUST_PROXY,
      dataDirectory: resolve(directory, settings.DATA_DIR),
      /** URL of a Redis server to use instead of SQLite files. */
      redisUrl: settings.REDIS_URL,
      /** URL at which other hosts reach this one. If undefined, there are no others. */
      advertiseUrl: settings.ADVERTISE_URL,
      smtp: settings.SMTP_URL,
      /** Secret that encrypts addresses. If undefined, a file in the data directory contains it. */
      mailKey: settings.MAIL_KEY,
      /** Number of worker processes for several sites. If undefined, it is chosen automatically. */
      workers: settings.WORKERS,
      /** URL under which the sites page is served, in addition to the server's own addresses. */
      sitesUrl,
      /** Name of the county page. If undefined, there is no such page. */
      countyName: settings.COUNTY_NAME,
      /** Header to send to the URL of the sites file. */
      sitesFileHeader: settings.SITES_FILE_HEADER,
      /** If undefined, there is no sites page. */
      sitesPassword: password,
      logLevel: settings.LOG_LEVEL,
      /** True to show the setup page while no website is configured. */
      hasSetupPage: settings.SETUP === 'yes',
    },
  }
}

/** Reads a config and its faults. The config is usable only if there are no faults. */
export function readSite({ values }: SettingValues, server: Partial<ServerConfig> = {}) {
  const { smtp } = server
  const { settings, faults } = parseSettings(siteSettingsSchema, values)
  return {
    faults: [
      ...faults,
      ...siteFaults(values),
      ...profileFaults(settings),
      ...lengthFaults('ADMIN', settings.ADMIN_PASSWORD, settings.PUBLIC_URL),
      ...notificationFaults(settings, smtp),
      ...followFaults(settings, server),
    ],
    config: {
      /** Undefined in the demo, in which the sandbox is the website. */
      site: siteFrom(settings, values['SITE_REFRESH_TOKEN_FILE']),
      /** Language of the site, or of the demo. */
      language: settings.SITE_LANGUAGE,
      /** Host in all ids. By default, the stored one, or initially the website's host. */
      idHost: settings.ID_HOST,
      callsPerMinute: settings.CALLS_PER_MINUTE,
      callsPerDay: settings.CALLS_PER_DAY,
      freshMs: settings.FRESH_SECONDS * 1000,
      /** Number of days before and after today for which calendar entries, events and rentals are kept. */
      window: { pastDays: settings.PAST_DAYS, futureDays: settings.FUTURE_DAYS },
      /** If undefined, the default applies, which differs in the demo. */
      publicFeeds: settings.PUBLIC_FEEDS,
      /** If undefined, the URL that the server listens on is used. */
      publicUrl: settings.PUBLIC_URL,
      isInCounty: settings.COUNTY_LISTING === 'yes',
      /** True if calendar and contacts apps can use feed links as accounts. */
      hasDav: settings.DAV === 'yes',
      /** If undefined, profiles for Apple devices are not signed. */
      profileSigner: profileSignerFrom(settings),
      /** WebSub hubs to notify when a public news feed changes. */
      hubs: settings.WEBSUB_HUBS ?? [],
      /** Languages of exported pages and feeds, in addition to the website's. */
      exportLanguages: settings.EXPORT_LANGUAGES ?? [],
      /** File names of a board's pictures in an export, like `800x480-2.png`. */
      exportPictures: settings.EXPORT_PICTURES ?? [],
      /** If undefined, there is no admin page. */
      adminPassword: settings.ADMIN_PASSWORD,
      notifications: notificationsFrom(settings, smtp),
      following: followSettingsFrom(settings, smtp),
    },
  }
}

function siteFrom(
  settings: z.infer<typeof siteSettingsSchema>,
  refreshTokenFile: string | undefined,
): SiteSettings | undefined {
  const { SITE_URL: url, SITE_REFRESH_TOKEN: refreshToken, SITE_TIME_ZONE: timeZone } = settings
  if (url === undefined || refreshToken === undefined || timeZone === undefined) return undefined
  const { name, language, ...identity } = eachText((text) => settings[variableOf(text)])
  return {
    url,
    refreshToken,
    refreshTokenFile,
    name: name ?? new URL(url).hostname,
    identity,
    timeZone,
    language,
    caPem: settings.SITE_CA_FILE,
    links: settings.SITE_LINKS ?? {},
    places: settings.PLACES,
    databases: settings.DATABASE_FEEDS,
  }
}

function profileSignerFrom(
  settings: z.infer<typeof siteSettingsSchema>,
): ProfileSignerFiles | undefined {
  const { PROFILE_CERT_FILE: certificateFile, PROFILE_KEY_FILE: keyFile } = settings
  if (certificateFile === undefined || keyFile === undefined) return undefined
  return { certificateFile, keyFile }
}

function profileFaults(settings: z.infer<typeof siteSettingsSchema>): readonly string[] {
  const files = profileSignerFrom(settings)
  // A certificate that has expired must not keep feeds from being served. Profiles are unsigned then.
  const read = files && readProfileSigner(files, 0)
  return [
    ...unusedFaults(settings, ['PROFILE_CERT_FILE'], ['PROFILE_KEY_FILE']),
    ...unusedFaults(settings, ['PROFILE_KEY_FILE'], ['PROFILE_CERT_FILE']),
    ...(read && 'fault' in read ? [read.fault] : []),
  ]
}

/** Requires a longer password if its page is https, and thus probably on the internet. */
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

/** Reports settings for several sites that have no effect without another setting. */
function sitesFaults(settings: z.infer<typeof serverSettingsSchema>): readonly string[] {
  const forSeveral = [
    'SITES_PASSWORD',
    'SITES_FILE_HEADER',
    'SITES_URL',
    'COUNTY_NAME',
    'ADVERTISE_URL',
  ]
  if (settings.SITES_FILE === undefined) return unusedFaults(settings, forSeveral, ['SITES_FILE'])
  return [
    ...unusedFaults(settings, ['COUNTY_NAME'], ['SITES_URL']),
    ...unusedFaults(settings, ['ADVERTISE_URL'], ['REDIS_URL']),
    ...(settings.SITES_FILE_HEADER === undefined || isUrl(settings.SITES_FILE)
      ? []
      : ['SITES_FILE_HEADER is set, but SITES_FILE is not a URL.']),
  ]
}

/** Requires all settings for a real site, so that a missing one does not start the demo. */
function siteFaults(values: SettingValues['values']): readonly string[] {
  if (values['SITE_URL'] === undefined) {
    return unusedFaults(values, unusedWithoutSiteUrl, ['SITE_URL'])
  }
  return requiredWithSiteUrl
    .filter((name) => values[name] === undefined && values[`${name}_FILE`] === undefined)
    .map((name) => `${name} is missing. It is required with SITE_URL.`)
}
