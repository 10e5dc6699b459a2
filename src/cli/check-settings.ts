import { idHostOf } from '../app/id-host.ts'
import { mailboxFault } from '../delivery/following/read-bounces.ts'
import { mailFault } from '../delivery/notifications/mail.ts'
import { webhookFault } from '../delivery/notifications/webhook.ts'
import type { ChannelTarget } from '../channels/channel-kinds.ts'
import { checkPublicUrl } from '../check/public-url.ts'
import type { Finding } from '../check/site-check.ts'
import { systemClock } from '../clock.ts'
import { detailedResource } from '../collections/copy/resource-rules.ts'
import { storedStates } from '../collections/copy/stored-collections.ts'
import { callsPerRound, intervalSentence } from '../collections/schedule/reading-interval.ts'
import type { BounceMailbox } from '../config/follow-settings.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Config, SiteConfig } from '../config/config.ts'
import { reservedNames } from '../config/settings.ts'
import { defaultPublicFeeds, feeds } from '../feeds/catalog.ts'
import {
  dateSentences,
  suggestedDatabase,
  unknownFieldSentences,
  settingFrom,
  type DatabaseSettings,
} from '../feeds/database-settings.ts'
import { formats } from '../feeds/formats.ts'
import { urlWarning } from '../links/url-warning.ts'
import type { DatabaseSample } from '../records/custom-database.ts'
import { defaultLanguage, firstWeekday, weekdayIn } from '../records/language.ts'
import { spokenLanguage } from '../records/messages.ts'
import type { FeedResource } from '../records/resources.ts'
import { listInWords } from '../text/text.ts'
import { storeFaults } from '../store/open-store.ts'
import { isRunning } from '../store/replicas.ts'
import { openProbe } from '../store/service-signals.ts'
import type { Store } from '../store/store.ts'
import { adviceFor } from '../upstream/advice.ts'
import { listDatabases, readDatabaseSample, type DataService } from '../upstream/data-service.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { zoneDataFinding, zoneDataOf } from '../zone-data/zone-data.ts'

type CheckedSettings = {
  readonly config: Config
  readonly store: Store
  readonly resources: readonly FeedResource[]
}

/** Checks FRESH_SECONDS, REDIS_URL, ID_HOST, PUBLIC_URL and the receivers of alerts and changes. */
export async function* settingsFindings(checked: CheckedSettings): AsyncGenerator<Finding> {
  yield* await intervalFindings(checked)
  yield* await storeFindings(checked.config)
  yield await idHostFinding(checked)
  yield* languageFindings(checked.config)
  yield* zoneFindings(checked.config)
  yield* publicUrlFindings(checked)
  yield* await notificationFindings(checked.config)
}

/** Reports settings with which Redis can lose data. */
export async function storeFindings({ dataDirectory: directory, redisUrl }: Config) {
  const faults = await storeFaults({ directory, redisUrl, now: systemClock.now })
  return faults.map((sentence) => ({ check: 'REDIS_URL', ok: false, sentence }))
}

/** Reports that the call limit makes the interval between reads longer than `FRESH_SECONDS`. */
async function intervalFindings({ config, store, resources }: CheckedSettings) {
  const states = await storedStates(store.documents)
  const sentence = intervalSentence({
    ...config,
    usedToday: 0,
    callsPerRound: callsPerRound(resources, (resource) => states.get(resource)?.calls ?? 1),
    details: Object.keys(states.get(detailedResource)?.details ?? {}).length,
  })
  return sentence === undefined ? [] : [{ check: 'FRESH_SECONDS', ok: true, sentence }]
}

/** Reports what the website's language affects, unless it is the default. */
export function languageFindings({ site }: Config): readonly Finding[] {
  const language = site?.language
  if (language === undefined || language === defaultLanguage) return []
  // Messages of commands are in English.
  const first = weekdayIn('en', firstWeekday(language))
  const own = new Intl.DisplayNames('en', { type: 'language' }).of(spokenLanguage(language))
  const sentence = `Feeds declare their language as ${language}, dates and times follow its region's format, and weeks start on ${first.name}. Feedhouse's own text is in ${own}.`
  return [{ check: 'SITE_LANGUAGE', ok: true, sentence }]
}

/** Reports the release of the time zone rules, and whether newer ones differ. */
function zoneFindings({ site }: Config): readonly Finding[] {
  if (!site) return []
  const { timeZone } = site
  const data = zoneDataOf(timeZone, systemClock.now())
  return [{ check: 'SITE_TIME_ZONE', ...zoneDataFinding(data, timeZone) }]
}

async function idHostFinding({ config, store }: CheckedSettings): Promise<Finding> {
  const check = 'ID_HOST'
  try {
    const ids = await idHostOf(store, { ...config, siteUrl: config.site?.url ?? '' })
    if (ids.isKept) {
      const sentence = `The ids of entries and stories use ${ids.host}, even if the website moves.`
      return { check, ok: true, sentence }
    }
    const sentence = `The ids of entries and stories will use ${ids.host}, which cannot be changed once Feedhouse has started. To use another host, set ID_HOST first.`
    return { check, ok: true, sentence: [sentence, ids.warning ?? []].flat().join(' ') }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { check, ok: false, sentence: error.message }
  }
}

/** Tests PUBLIC_URL the way an outside client would, if it is set and the service is running. */
async function* publicUrlFindings({ config, store }: CheckedSettings): AsyncGenerator<Finding> {
  const { publicUrl, publicFeeds = defaultPublicFeeds, proxies, site } = config
  if (publicUrl === undefined) return
  const warning = urlWarning(publicUrl)
  if (warning !== undefined) yield note(`PUBLIC_URL is ${publicUrl}. ${warning}`)
  if (!(await isRunning(store.documents))) {
    const sentence =
      'Feedhouse is not running yet. Start it and run check again to test PUBLIC_URL as well.'
    return yield note(sentence)
  }
  const feed = feeds.find(({ id }) => publicFeeds.includes(id))
  const format = feed?.formats[0]
  yield await checkPublicUrl({
    publicUrl,
    proxies,
    probeKey: await openProbe(store.documents, systemClock.now()),
    feed: feed && format && { path: `/${feed.id}.${format}`, mediaType: formats[format].mediaType },
    caPem: site?.caPem,
  })
}

function note(sentence: string): Finding {
  return { check: 'PUBLIC_URL', ok: true, sentence }
}

/** Tests the mail servers and the hosts of webhooks, without sending a message. */
export async function notificationFindings({
  notifications: { alerts, changeWebhooks },
  following: { mail: followMail, bounces },
}: SiteConfig): Promise<readonly Finding[]> {
  const { mail = followMail, webhooks } = alerts
  return Promise.all([
    ...(mail ? [mailFinding(mail.server, alerts.mail !== undefined)] : []),
    ...(bounces ? [bouncesFinding(bounces)] : []),
    ...webhooks.map((target) => webhookFinding('ALERT_WEBHOOK', target)),
    ...changeWebhooks.map((target) => webhookFinding('CHANGE_WEBHOOKS', target)),
  ])
}

async function mailFinding(
  server: Parameters<typeof mailFault>[0],
  hasAlerts: boolean,
): Promise<Finding> {
  const fault = await mailFault(server)
  const hint = hasAlerts ? ' To send a test message, run: npx feedhouse alert test' : ''
  const sentence =
    fault === undefined
      ? `The mail server accepts the settings.${hint}`
      : `Emails cannot be sent, because ${fault}. Check SMTP_URL.`
  return { check: 'SMTP_URL', ok: fault === undefined, sentence }
}

async function bouncesFinding(mailbox: BounceMailbox): Promise<Finding> {
  const fault = await mailboxFault(mailbox)
  const sentence =
    fault === undefined
      ? 'The mailbox for bounced emails can be read.'
      : `Bounced emails cannot be read, because ${fault}. Check MAIL_BOUNCES.`
  return { check: 'MAIL_BOUNCES', ok: fault === undefined, sentence }
}

async function webhookFinding(check: string, target: ChannelTarget): Promise<Finding> {
  const { host } = new URL(target.url)
  const fault = await webhookFault(target)
  const sentence =
    fault === undefined
      ? `${host} (${check}) can be reached. To send a test message, run: npx feedhouse alert test`
      : `${host} (${check}) cannot be reached: ${fault}. Check the URL and the network.`
  return { check, ok: fault === undefined, sentence }
}

/** Maximum number of databases to read that no feed shows. */
const maxListed = 20

const maxTitleLength = 60

const check = 'DATABASE_FEEDS'

/** With `all`, also lists databases that are not in the settings, with a setting to add each. */
export async function* databaseFindings(
  dataService: DataService,
  configured: readonly DatabaseSettings[],
  { all }: { readonly all: boolean },
): AsyncGenerator<Finding> {
  try {
    const listed = await listDatabases(dataService)
    for (const { id, databaseId } of configured) {
      if (listed.some((database) => database.id === databaseId)) continue
      yield {
        check,
        ok: false,
        sentence: `DATABASE_FEEDS names the database ${databaseId} in the feed ${id}, but the website ${numbersOf(listed)}.`,
      }
    }
    const others = all ? listed.filter(({ id }) => !isConfigured(id)) : []
    const read = [...listed.filter(({ id }) => isConfigured(id)), ...others.slice(0, maxListed)]
    for (const database of read) {
      yield* findingsAbout(await readDatabaseSample(dataService, database), configured)
    }
    if (others.length > maxListed) {
      const sentence = `The website has ${others.length - maxListed} more databases.`
      yield { check, ok: true, sentence }
    }
    if (all && listed.length === 0) {
      yield { check, ok: true, sentence: 'The website has no custom databases.' }
    }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    const { kind: code, message } = error
    const sentence = `The custom databases cannot be read (${message}). ${adviceFor(error)}`
    yield { check, ok: false, sentence, code }
  }

  function isConfigured(id: number): boolean {
    return configured.some(({ databaseId }) => databaseId === id)
  }
}

function* findingsAbout(
  sample: DatabaseSample,
  configured: readonly DatabaseSettings[],
): Generator<Finding> {
  const { id, title, recordCount } = sample
  const names = sample.fields.map(({ name }) => name)
  const records = recordCount === 1 ? '1 record' : `${recordCount} records`
  const fields = names.length === 0 ? 'no fields' : `the fields ${listInWords(names)}`
  const about = `Database ${id}, “${title.slice(0, maxTitleLength).toWellFormed()}”, has ${records} with ${fields}`
  const database = configured.find(({ databaseId }) => databaseId === id)
  if (!database) {
    const taken = [...reservedNames, ...configured.map((each) => each.id)]
    const suggested = suggestedDatabase(sample, taken)
    const advice = suggested
      ? ` A setting that would work: DATABASE_FEEDS=${settingFrom(suggested)}`
      : ''
    return yield { check, ok: true, sentence: `${about}.${advice}` }
  }
  const faults = [...unknownFieldSentences(database, names), ...dateSentences(database, sample)]
  if (faults.length === 0) {
    return yield { check, ok: true, sentence: `${about}. The feed ${database.id} shows it.` }
  }
  for (const sentence of faults) yield { check, ok: false, sentence }
}

function numbersOf(listed: readonly { readonly id: number }[]): string {
  if (listed.length === 0) return 'has no custom databases'
  return `has only ${listInWords(listed.map(({ id }) => String(id)))}`
}
