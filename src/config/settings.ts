import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { feedIds, linkFeedIds, publishableFeeds } from '../feeds/catalog.ts'
import { databaseFeedsSchema } from '../feeds/database-settings.ts'
import { itemLinksSchema } from '../feeds/site.ts'
import { logLevels } from '../log.ts'
import { languages } from '../records/messages.ts'
import { readRedisUrl } from '../store/redis/redis-url.ts'
import { notificationSchemas, smtpServer } from './notification-settings.ts'
import { followSchemas, mailKey } from './follow-settings.ts'
import { placeList } from './places.ts'
import { textVariables } from './text-settings.ts'
import { timeZone } from './time-zone.ts'
import { isHttpsUrl, isUrl, oneLine, wholeNumber } from './value-schemas.ts'

/** Maximum number of hubs, each of which is notified of every change. */
const maxHubs = 5

/** Every export draws all pictures. */
const maxPictures = 10

/** Maximum number of processes that read websites on one host. */
export const maxWorkers = 64

/** Paths used by Feedhouse itself, which sites and their own feeds cannot use. */
export const reservedNames = [
  'l',
  'admin',
  'assets',
  'board',
  'embed',
  'parts',
  'poster',
  'livez',
  'readyz',
  'status',
  'metrics',
  'probe',
  'dav',
  'follow',
  'roster',
  'certifications',
  ...linkFeedIds,
]

export const freshSeconds = wholeNumber(60, 86_400)

/** Keeps feed links under 200 characters, except for options with long lists. */
const maxPublicUrlLength = 80

/** Site origin with a normalized host name, from which the store's name is derived. */
const siteOrigin = z
  .string()
  .transform((value) => URL.parse(value))
  .refine(
    (url) => url?.protocol === 'https:' && url.href === `${url.origin}/`,
    'must be an https URL without a path, like https://www.example.org',
  )
  .refine((url) => !url?.hostname.includes('_'), 'must not have an underscore in its host name')
  .transform((url) => url?.origin.replace(/\.(?=:\d|$)/, '') ?? '')

/** A lowercase ASCII host name without a port, as it appears in ids. */
const hostName = z
  .string()
  .transform((value) => URL.parse(`https://${value}`))
  .refine(
    (url) => url?.href === `https://${url?.hostname}/` && /^[a-z\d.-]+$/.test(url.hostname),
    'must be a host name, like www.example.org',
  )
  .transform((url) => url?.hostname.replace(/\.$/, '') ?? '')

export const refreshToken = z
  .string()
  .regex(/^[!-~]+$/, 'must be only the token, exactly as the website shows it')
  .refine((token) => !/^["'<]|["'>]$/.test(token), 'must be only the token, without quotes')

/** An origin with an optional path segment, so that several sites can share a host. */
const publicUrl = z
  .string()
  .refine(
    isPublicUrl,
    'must be an http or https URL, like https://feeds.example.org or https://www.example.org/feeds',
  )
  .transform((value) => new URL(value).href.replace(/\/$/, ''))
  .refine(
    (url) => !reservedNames.includes(new URL(url).pathname.slice(1)),
    `must not end with a path that Feedhouse uses itself: ${reservedNames.join(', ')}`,
  )
  .refine(
    (url) => url.length <= maxPublicUrlLength,
    `must have at most ${maxPublicUrlLength} characters`,
  )

const publishableIds = publishableFeeds.map(({ id }) => id)

/** Ids of feeds that can be public. */
export const feedList = z
  .string()
  .transform((value): readonly string[] =>
    value === '' ? [] : value.split(',').map((id) => id.trim()),
  )
  .refine(
    (ids) => ids.every((id) => publishableIds.includes(id)),
    `must be a comma-separated list of: ${publishableIds.join(', ')}`,
  )

const hubList = z
  .string()
  .transform((value) => value.split(/[\s,]+/).filter((hub) => hub !== ''))
  .refine(
    (hubs) => hubs.length <= maxHubs && hubs.every(isHttpsUrl),
    `must be at most ${maxHubs} https URLs, like https://pubsubhubbub.appspot.com/`,
  )
  .transform((hubs): readonly string[] => [...new Set(hubs.map((hub) => new URL(hub).href))])

const pictureName = /^\d{3,4}x\d{3,4}-(?:2|3|4|6|7|16|full)\.(?:png|bmp)$/

const pictureList = z
  .string()
  .transform((value) => [...new Set(value.split(/[\s,]+/).filter((name) => name !== ''))])
  .refine(
    (names) => names.length <= maxPictures && names.every((name) => pictureName.test(name)),
    `must be at most ${maxPictures} file names, like 1200x825-2.bmp`,
  )

const spokenLanguages = z
  .string()
  .transform((value) =>
    value
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((name) => name !== ''),
  )
  .refine(
    (names) => names.every((name) => languages.some((language) => language === name)),
    `must be a comma-separated list of: ${languages.join(', ')}`,
  )
  .transform((names) => languages.filter((language) => names.includes(language)))

/** Absolute path of a file, or a URL. */
const siteLogo = z.string().refine(
  // AVIF used to be supported. A site with such a logo still starts, and shows the initials.
  (text) => isHttpsUrl(text) || /^(?!http:).*\.(?:png|jpe?g|webp|avif|gif|svg)$/i.test(text),
  'must be an https URL, or the path of a file that ends in .png, .jpg, .webp, .gif or .svg',
)

const certificate = z
  .string()
  .refine(isCertificate, 'must be the path of a PEM file with a certificate')

const proxyCount = z
  .string()
  .regex(/^(?:off|\d|10)$/, 'must be off or the number of proxies, 1 to 10')
  .transform((value) => (value === 'off' ? 0 : Number(value)))
  .default(0)

const redisUrl = z.string().check((context) => {
  const read = readRedisUrl(context.value)
  if (read.ok) return
  context.issues.push({ code: 'custom', message: read.problem, input: context.value })
})

const sitesFile = z
  .string()
  .refine(
    (text) => !isUrl(text) || isHttpsUrl(text),
    'must be the path of a file, or an https URL without a user name and password',
  )

const header = z
  .string()
  .regex(/^[\w-]+: *[!-~](?:[ -~]*[!-~])?$/, 'must be a header, like Authorization: Bearer TOKEN')

const hostUrl = z
  .string()
  .refine(isHttpOrigin, 'must be an http or https URL without a path, like http://10.0.0.5:8080')
  .transform((url) => new URL(url).origin)

/** Settings for the website. Of these, only the language applies to the demo. */
const websiteSettings = {
  SITE_URL: siteOrigin.optional(),
  SITE_REFRESH_TOKEN: refreshToken.optional(),
  ...textVariables,
  SITE_NAME: z.string().optional(),
  SITE_LOGO: siteLogo.optional(),
  SITE_TIME_ZONE: timeZone.optional(),
  SITE_CA_FILE: certificate.optional(),
  SITE_LINKS: itemLinksSchema(feedIds).optional(),
  DATABASE_FEEDS: databaseFeedsSchema(reservedNames).optional(),
  ID_HOST: hostName.optional(),
  PLACES: placeList.optional(),
}

export const siteSettingsSchema = z.object({
  ...websiteSettings,
  CALLS_PER_MINUTE: wholeNumber(1, 30).default(30),
  CALLS_PER_DAY: wholeNumber(1, 5000).default(5000),
  FRESH_SECONDS: freshSeconds.default(300),
  PAST_DAYS: wholeNumber(0, 3650).default(400),
  FUTURE_DAYS: wholeNumber(1, 3650).default(550),
  PUBLIC_FEEDS: feedList.optional(),
  PUBLIC_URL: publicUrl.optional(),
  WEBSUB_HUBS: hubList.optional(),
  EXPORT_LANGUAGES: spokenLanguages.optional(),
  EXPORT_PICTURES: pictureList.optional(),
  COUNTY_LISTING: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  DAV: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  PROFILE_CERT_FILE: z.string().optional(),
  PROFILE_KEY_FILE: z.string().optional(),
  ADMIN_PASSWORD: z.string().min(1, 'must not be empty').optional(),
  ...notificationSchemas,
  ...followSchemas,
})

export const serverSettingsSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  TRUST_PROXY: proxyCount,
  DATA_DIR: z.string().default('./data'),
  REDIS_URL: redisUrl.optional(),
  SMTP_URL: smtpServer.optional(),
  MAIL_KEY: mailKey.optional(),
  SITES_FILE: sitesFile.optional(),
  SITES_FILE_HEADER: header.optional(),
  ADVERTISE_URL: hostUrl.optional(),
  SITES_PASSWORD: z.string().min(1, 'must not be empty').optional(),
  SITES_URL: publicUrl.optional(),
  COUNTY_NAME: oneLine(100).optional(),
  WORKERS: wholeNumber(1, maxWorkers).optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of: ${logLevels.join(', ')}`).default('info'),
  SETTINGS_FILE: z.string().default('.env'),
  SETUP: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
})

export const settingsSchema = z.object({
  ...siteSettingsSchema.shape,
  ...serverSettingsSchema.shape,
})

/** Settings that contain a file name and are replaced by the file's content. */
export const fileNames = ['SITE_CA_FILE', 'PLACES'] as const

/** Settings with the paths of files that are read again whenever they are needed. */
export const pathNames = ['PROFILE_CERT_FILE', 'PROFILE_KEY_FILE'] as const

/** Secrets. Each can be replaced by `{NAME}_FILE`, the path of a file that contains it. */
export const secretNames = [
  'SITE_REFRESH_TOKEN',
  'REDIS_URL',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'SITES_PASSWORD',
  'SITES_FILE_HEADER',
  'ALERT_WEBHOOK',
  'CHANGE_WEBHOOKS',
  'WEBHOOK_SECRET',
  'MAIL_KEY',
  'MAIL_BOUNCES',
] as const

export const settingNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]

export const requiredWithSiteUrl = ['SITE_REFRESH_TOKEN', 'SITE_TIME_ZONE'] as const

export const unusedWithoutSiteUrl = Object.keys(websiteSettings).filter(
  (name) => name !== 'SITE_URL' && name !== 'SITE_LANGUAGE',
)

/** Parses settings. Treats invalid settings as not set, so that a single run reports all errors. */
export function parseSettings<S extends z.ZodObject>(
  schema: S,
  values: Readonly<Record<string, string>>,
): { readonly settings: z.infer<S>; readonly faults: readonly string[] } {
  const { data, error } = schema.safeParse(values)
  if (data) return { settings: data, faults: [] }
  const invalid = new Set(error?.issues.map(({ path }) => path[0]))
  const valid = Object.entries(values).filter(([name]) => !invalid.has(name))
  const settings = schema.parse(Object.fromEntries(valid))
  return { settings, faults: error?.issues.map(faultFrom) ?? [] }
}

function faultFrom(issue: z.core.$ZodIssue): string {
  return `${issue.path.join('.')} ${issue.message}.`
}

function isPublicUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) return false
  const whole = new URL(url.pathname, url.origin).href
  return url.href === whole && /^\/(?:[a-z\d][a-z\d-]*\/?)?$/.test(url.pathname)
}

function isHttpOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== ''
  } catch {
    return false
  }
}
