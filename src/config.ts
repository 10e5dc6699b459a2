import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { feedIds } from './feeds.ts'
import { itemLinksSchema, type ItemLinks } from './feeds/item-links.ts'
import { misspeltInEnvironment, misspeltInFile } from './misspelt-settings.ts'
import { logLevels, type LogLevel } from './log.ts'
import {
  certificate,
  feedList,
  hubList,
  origin,
  proxyCount,
  publicOrigin,
  redisUrl,
  timeZone,
  wholeNumber,
} from './setting-values.ts'

/** The website to read. */
export type SiteSettings = {
  /** Origin, https. */
  readonly url: string
  readonly refreshToken: string
  readonly name: string
  /** IANA zone of the site's dates and times. */
  readonly timeZone: string
  /** Certificate authorities to trust beside those Node trusts, PEM. */
  readonly caPem: string | undefined
  readonly links: ItemLinks
}

export type Config = {
  /** Undefined for the demo: the sandbox is the website. */
  readonly site: SiteSettings | undefined
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
  readonly host: string
  readonly port: number
  /** How many proxies stand in front and name the client's address. */
  readonly proxies: number
  readonly dataDirectory: string
  /** Redis instead of SQLite files in the data directory. */
  readonly redisUrl: string | undefined
  /** Undefined for no admin page. */
  readonly adminPassword: string | undefined
  readonly logLevel: LogLevel
}

export type Environment = Readonly<Record<string, string | undefined>>

/** All that is wrong with the settings, a plain sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(faults.join('\n'))
    this.faults = faults
  }
}

/** Feeds anyone may read on a real site, unless `PUBLIC_FEEDS` says otherwise. */
export const defaultPublicFeeds = ['events', 'news']

/** Every setting, by the name of its environment variable. */
export const settingsSchema = z.object({
  SITE_URL: origin(['https'], 'https://www.example.org').optional(),
  SITE_REFRESH_TOKEN: z
    .string()
    .regex(/^[!-~]+$/, 'must be the token alone, as the website shows it')
    .refine((token) => !/^["'<]|["'>]$/.test(token), 'must be the token alone, without quotes')
    .optional(),
  SITE_NAME: z.string().optional(),
  SITE_TIME_ZONE: timeZone.optional(),
  SITE_CA_FILE: certificate.optional(),
  SITE_LINKS: itemLinksSchema(feedIds).optional(),
  CALLS_PER_MINUTE: wholeNumber(1, 30, 30),
  CALLS_PER_DAY: wholeNumber(1, 5000, 5000),
  FRESH_SECONDS: wholeNumber(60, 86_400, 300),
  PAST_DAYS: wholeNumber(0, 3650, 400),
  FUTURE_DAYS: wholeNumber(1, 3650, 550),
  PUBLIC_FEEDS: feedList.optional(),
  PUBLIC_URL: publicOrigin.optional(),
  WEBSUB_HUBS: hubList.optional(),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8080),
  TRUST_PROXY: proxyCount,
  DATA_DIR: z.string().default('./data'),
  REDIS_URL: redisUrl.optional(),
  ADMIN_PASSWORD: z.string().optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of: ${logLevels.join(', ')}`).default('info'),
})

type Settings = z.infer<typeof settingsSchema>

/** Settings that are secrets: each can also be given as the file in `{NAME}_FILE`. */
const secretNames = ['SITE_REFRESH_TOKEN', 'REDIS_URL', 'ADMIN_PASSWORD'] as const

/** Every name that a setting can be given by. */
export const settingNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]

/**
 * The settings of the process and of the `.env` file of a directory. `warnings` are sentences on what
 * is probably wrong; a name in the file that is probably misspelt is a fault.
 */
export function configIn(directory: string): {
  readonly config: Config
  readonly warnings: readonly string[]
} {
  const misspelt = misspeltInFile(Object.keys(readEnvFile(`${directory}/.env`)), settingNames)
  const faults = misspelt.map((sentence) => `In the file .env, ${sentence}`)
  const config = readConfig(environmentOf(directory), faults)
  return { config, warnings: misspeltInEnvironment(Object.keys(process.env), settingNames) }
}

/** The environment of the process, over the `.env` file of a directory where there is one. */
export function environmentOf(directory: string): Environment {
  return { ...readEnvFile(`${directory}/.env`), ...process.env }
}

/** As Windows editors put it in front of a file. */
const byteOrderMark = /^\uFEFF/

function readEnvFile(path: string): Environment {
  try {
    return parseEnv(readFileSync(path, 'utf8').replace(byteOrderMark, ''))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new ConfigError([`The file ${path} cannot be read.`])
  }
}

/** Reads and checks all settings; throws one `ConfigError` with every fault, those known already too. */
export function readConfig(environment: Environment, known: readonly string[] = []): Config {
  const { values, faults } = withFiles(environment)
  faults.unshift(...known)
  const { data: settings, error } = settingsSchema.safeParse(values)
  faults.push(...(error?.issues.map(faultOf) ?? []), ...siteFaults(values))
  if (!settings || faults.length > 0) throw new ConfigError(faults)
  return configFrom(settings)
}

function configFrom(settings: Settings): Config {
  return {
    site: siteFrom(settings),
    callsPerMinute: settings.CALLS_PER_MINUTE,
    callsPerDay: settings.CALLS_PER_DAY,
    freshMs: settings.FRESH_SECONDS * 1000,
    window: { pastDays: settings.PAST_DAYS, futureDays: settings.FUTURE_DAYS },
    publicFeeds: settings.PUBLIC_FEEDS,
    publicUrl: settings.PUBLIC_URL,
    hubs: settings.WEBSUB_HUBS ?? [],
    host: settings.HOST,
    port: settings.PORT,
    proxies: settings.TRUST_PROXY,
    dataDirectory: settings.DATA_DIR,
    redisUrl: settings.REDIS_URL,
    adminPassword: settings.ADMIN_PASSWORD,
    logLevel: settings.LOG_LEVEL,
  }
}

function siteFrom(settings: Settings): SiteSettings | undefined {
  const { SITE_URL: url, SITE_REFRESH_TOKEN: refreshToken, SITE_TIME_ZONE: timeZone } = settings
  if (url === undefined || refreshToken === undefined || timeZone === undefined) return undefined
  const name = settings.SITE_NAME ?? new URL(url).hostname
  const { SITE_CA_FILE: caPem, SITE_LINKS: links = {} } = settings
  return { url, refreshToken, name, timeZone, caPem, links }
}

/**
 * A variable that is set but empty counts as not set, except that no `PUBLIC_FEEDS` are public then.
 * One that names a file becomes its content.
 */
function withFiles(environment: Environment) {
  const values: Record<string, string> = {}
  const faults: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    const isSet = value?.trim() !== '' || name === 'PUBLIC_FEEDS'
    if (value !== undefined && isSet) values[name] = value.trim()
  }
  for (const name of secretNames) {
    const file = values[`${name}_FILE`]
    if (file === undefined) continue
    if (values[name] !== undefined) faults.push(`${name} and ${name}_FILE are both set; set one.`)
    const content = contentOf(file)
    if (content === undefined) faults.push(unreadable(`${name}_FILE`, file))
    else values[name] = content.trim()
  }
  const caFile = values['SITE_CA_FILE']
  if (caFile !== undefined) {
    const content = contentOf(caFile)
    if (content === undefined) {
      faults.push(unreadable('SITE_CA_FILE', caFile))
      delete values['SITE_CA_FILE']
    } else values['SITE_CA_FILE'] = content
  }
  return { values, faults }
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function unreadable(name: string, file: string): string {
  return `${name} names a file that cannot be read: ${file}.`
}

const neededWithSite = ['SITE_REFRESH_TOKEN', 'SITE_TIME_ZONE'] as const
const pointlessWithoutSite = [
  'SITE_REFRESH_TOKEN',
  'SITE_NAME',
  'SITE_TIME_ZONE',
  'SITE_CA_FILE',
  'SITE_LINKS',
] as const

/** A real site is configured whole, so that a forgotten setting does not start the demo. */
function siteFaults(values: Readonly<Record<string, string>>): readonly string[] {
  return values['SITE_URL'] === undefined
    ? pointlessWithoutSite
        .filter((name) => values[name] !== undefined)
        .map((name) => `${name} is set, but SITE_URL is not.`)
    : neededWithSite
        .filter((name) => values[name] === undefined && values[`${name}_FILE`] === undefined)
        .map((name) => `${name} must be set together with SITE_URL.`)
}

function faultOf(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}.`
}
