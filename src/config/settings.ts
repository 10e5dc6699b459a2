import { z } from 'zod'
import { feedIds } from '../feeds/catalog.ts'
import { databaseFeedsSchema } from '../feeds/database-settings.ts'
import { itemLinksSchema } from '../feeds/item-links.ts'
import { logLevels } from '../log.ts'
import {
  mailAddress,
  mailList,
  quietHours,
  smtpServer,
  webhookList,
  webhookSecret,
  weekday,
} from './notification-values.ts'
import { placeList } from './places.ts'
import {
  certificate,
  countyName,
  feedList,
  freshSeconds,
  hostName,
  hubList,
  placeName,
  proxyCount,
  publicAddress,
  redisUrl,
  refreshToken,
  reservedNames,
  siteColor,
  siteLogo,
  siteOrigin,
  timeZone,
  wholeNumber,
} from './setting-values.ts'

/** Schema of the settings for one site, by environment variable. */
export const siteSettingsSchema = z.object({
  SITE_URL: siteOrigin.optional(),
  SITE_REFRESH_TOKEN: refreshToken.optional(),
  SITE_NAME: z.string().optional(),
  SITE_PLACE: placeName.optional(),
  SITE_COLOR: siteColor.optional(),
  SITE_LOGO: siteLogo.optional(),
  SITE_TIME_ZONE: timeZone.optional(),
  SITE_CA_FILE: certificate.optional(),
  SITE_LINKS: itemLinksSchema(feedIds).optional(),
  DATABASE_FEEDS: databaseFeedsSchema(reservedNames).optional(),
  ID_HOST: hostName.optional(),
  PLACES: placeList.optional(),
  CALLS_PER_MINUTE: wholeNumber(1, 30).default(30),
  CALLS_PER_DAY: wholeNumber(1, 5000).default(5000),
  FRESH_SECONDS: freshSeconds.default(300),
  PAST_DAYS: wholeNumber(0, 3650).default(400),
  FUTURE_DAYS: wholeNumber(1, 3650).default(550),
  PUBLIC_FEEDS: feedList.optional(),
  PUBLIC_URL: publicAddress.optional(),
  WEBSUB_HUBS: hubList.optional(),
  COUNTY_LISTING: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  ADMIN_PASSWORD: z.string().min(1, 'must not be empty').optional(),
  ALERT_MAIL: mailList.optional(),
  ALERT_MAIL_FROM: mailAddress.optional(),
  ALERT_WEBHOOK: webhookList.optional(),
  ALERT_QUIET_HOURS: quietHours.optional(),
  ALERT_SUMMARY: weekday.optional(),
  CHANGE_WEBHOOKS: webhookList.optional(),
  WEBHOOK_SECRET: webhookSecret.optional(),
})

/** Schema of the settings for the process. */
export const serverSettingsSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  TRUST_PROXY: proxyCount,
  DATA_DIR: z.string().default('./data'),
  REDIS_URL: redisUrl.optional(),
  SMTP_URL: smtpServer.optional(),
  SITES_FILE: z.string().optional(),
  SITES_PASSWORD: z.string().min(1, 'must not be empty').optional(),
  SITES_URL: publicAddress.optional(),
  COUNTY_NAME: countyName.optional(),
  MAKERS: wholeNumber(1, 64).optional(),
  LOG_LEVEL: z.enum(logLevels, `must be one of: ${logLevels.join(', ')}`).default('info'),
})

/** Schema of all settings. */
export const settingsSchema = z.object({
  ...siteSettingsSchema.shape,
  ...serverSettingsSchema.shape,
})

/** Settings that name a file and are replaced by its content. */
export const fileNames = ['SITE_CA_FILE', 'PLACES'] as const

/** Settings that name a file or an https URL. */
export const locationNames = ['SITE_LOGO'] as const

/** Secrets. Each can be replaced by a setting `{NAME}_FILE`, which names a file with the secret. */
export const secretNames = [
  'SITE_REFRESH_TOKEN',
  'REDIS_URL',
  'SMTP_URL',
  'ADMIN_PASSWORD',
  'SITES_PASSWORD',
  'ALERT_WEBHOOK',
  'CHANGE_WEBHOOKS',
  'WEBHOOK_SECRET',
] as const

/** All environment variables that Feedhouse reads. */
export const settingNames: readonly string[] = [
  ...Object.keys(settingsSchema.shape),
  ...secretNames.map((name) => `${name}_FILE`),
]

export const requiredWithSiteUrl = ['SITE_REFRESH_TOKEN', 'SITE_TIME_ZONE'] as const

export const unusedWithoutSiteUrl = [
  'SITE_REFRESH_TOKEN',
  'SITE_NAME',
  'SITE_PLACE',
  'SITE_COLOR',
  'SITE_LOGO',
  'SITE_TIME_ZONE',
  'SITE_CA_FILE',
  'SITE_LINKS',
  'DATABASE_FEEDS',
  'ID_HOST',
  'PLACES',
] as const

/** Parses settings. Treats invalid settings as not set, so that a single run reports all faults. */
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
