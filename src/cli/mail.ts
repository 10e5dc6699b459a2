import { createMessages, type MessageOptions } from '../delivery/following/create-message.ts'
import { findFollowedItems } from '../delivery/following/followed-changes.ts'
import { mailBody } from '../delivery/following/mail-body.ts'
import { createMailTransport } from '../delivery/following/mail-transport.ts'
import { followUrls, type FollowUrls } from '../delivery/following/messages.ts'
import { storedMailLogo } from '../app/mail-logo.ts'
import type { Documents } from '../store/store.ts'
import { dayMs, systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { createCatalog } from '../feeds/catalog.ts'
import type { Site } from '../feeds/site.ts'
import { createFollowKeys } from '../followers/follow-keys.ts'
import { knownFollowSecret } from '../followers/follow-secret.ts'
import { createFollowers } from '../followers/followers.ts'
import { createLinkService } from '../links/link-service.ts'
import {
  isFollowing,
  messageKinds,
  type Follower,
  type MessageKind,
} from '../followers/follower.ts'
import { languages } from '../records/messages.ts'
import { commandConfig, openPresentStore, siteOption } from './chosen-site.ts'
import { commandSettings } from './command-settings.ts'
import { openWebsite } from './command-website.ts'
import { defineCommand, flag, onlyOperand, valueOption, type CommandContext } from './command.ts'
import { UsageError } from './user-errors.ts'

const sendMs = 60_000

/** Maximum number of changes and news items in a preview. */
const changesShown = 5

const mailKinds = messageKinds.filter((kind) => kind !== 'welcome')

const usage = 'mail preview, or mail send-digest --to ADDRESS; see --help.'

export const command = defineCommand({
  options: {
    kind: valueOption('KIND', `${mailKinds.join(', ')}; weekly by default`),
    language: valueOption('LANGUAGE', `${languages.join(', ')}; the site's language by default`),
    html: flag('print the HTML instead of the plain text'),
    to: valueOption(
      'ADDRESS',
      'address to send the weekly email to. If it follows the site, its choices apply',
    ),
    ...siteOption,
  },
  help: (list) => `Usage: npx feedhouse mail preview [options]
       npx feedhouse mail send-digest --to ADDRESS [options]

"preview" prints the email that a follower of all public feeds would get now, from the stored data.
"send-digest" sends the weekly email to one address, so that you can see it in a mail app. If the
address follows the site, the email uses the language and feeds that the follower has chosen.
Otherwise, the links to change or stop the emails do not work. The service does not have to be running.

${list()}`,
  takesOperands: true,
  async run({ values, operands }, context) {
    const action = onlyOperand(operands, usage)
    if (action !== 'preview' && action !== 'send-digest')
      throw new UsageError(`Usage: npx feedhouse ${usage}`)
    const { language, to } = values
    const kind = mailKinds.find((each) => each === (values.kind ?? 'weekly'))
    if (!kind) throw new UsageError(`--kind must be one of: ${mailKinds.join(', ')}.`)
    if (language !== undefined && !languages.some((each) => each === language)) {
      throw new UsageError(`--language must be one of: ${languages.join(', ')}.`)
    }
    const config = commandConfig(values, context)
    const { mail } = config.following
    if (action === 'preview') {
      const { site, message, urls } = await messageFrom(config, { kind, language }, context)
      const body = mailBody(message, urls, { site, postalAddress: mail?.postalAddress })
      if (values.html) context.stdout.stream.write(body.html)
      else context.stdout.write(body.text)
      return
    }
    if (to === undefined) throw new UsageError('send-digest needs --to ADDRESS.')
    if (!mail) {
      throw new UsageError('MAIL_FOLLOW is not set to yes. Set it, MAIL_FROM and SMTP_URL first.')
    }
    const choice = { kind: 'weekly', language, to } as const
    const { site, message, urls, drawLogo } = await messageFrom(config, choice, context)
    const transport = createMailTransport(mail, site, systemClock, drawLogo)
    // Mail apps hide a message with an id that they have already seen.
    const unique = { ...message, id: `${message.id}-test` }
    const sent = await transport.send(unique, { address: to, urls }, AbortSignal.timeout(sendMs))
    transport.disconnect?.()
    if (!sent.ok) throw new UsageError(`The email could not be sent: ${sent.reason}.`)
    context.stdout.write('The mail server has accepted the email.\n')
  },
})

type Choice = {
  readonly kind: MessageKind
  readonly language: string | undefined
  readonly to?: string
}

/**
 * Creates a message to the follower with the address, or to an example follower. Throws a
 * `UsageError` if it would be empty.
 */
async function messageFrom(given: Config, choice: Choice, context: CommandContext) {
  const { site: settings } = given
  if (!settings)
    throw new UsageError('SITE_URL is not set, so there is no website to send emails about.')
  await using running = new AsyncDisposableStack()
  const store = running.use(await openPresentStore(given, context))
  const { config } = await commandSettings({ ...given, site: settings }, store, context)
  const now = systemClock.now()
  const catalog = createCatalog(config.site.databases)
  const publicFeeds = catalog.feeds.filter((feed) => config.publicFeeds.includes(feed.id))
  const website = await openWebsite(running, { config, store, catalog, publicFeeds }, context)
  const { site } = website
  const known = await followerWith(choice.to, { config, site, documents: store.documents })
  const urls = known?.urls ?? urlsBelow(site.publicUrl)
  const links = createLinkService(store, systemClock, website.log)
  await links.pull()
  const emergency: MessageOptions['emergency'] = (place) =>
    place === 'devices' ? exampleEmergency(now) : undefined
  const options = { ...website, links, emergency, urlsFor: () => urls }
  const { items } = await findFollowedItems(options)
  const found = items.slice(0, changesShown).map(({ make }) => ({ item: make(), at: now }))
  const { language = known?.follower.language ?? site.language } = choice
  const follower = { ...(known?.follower ?? exampleFollower(now)), language }
  const message = await createMessages(options, found)(follower, { kind: choice.kind, at: now })
  if (!message) throw new UsageError('This email would be empty now, so it would not be sent.')
  return { message, site, urls, drawLogo: await storedMailLogo(site, store.documents) }
}

/** Resolves to the follower with an email address, preferably one who gets the weekly email. */
async function followerWith(
  address: string | undefined,
  options: {
    readonly config: Pick<Config, 'mailKey' | 'dataDirectory'>
    readonly site: Site
    readonly documents: Documents
  },
): Promise<{ follower: Follower; urls: FollowUrls } | undefined> {
  const { config, site, documents } = options
  const secret = knownFollowSecret(config)
  if (secret === undefined || address === undefined) return undefined
  const about = { keys: createFollowKeys(secret), clock: systemClock, idHost: site.idHost }
  const followers = createFollowers(documents, about)
  const found = (await followers.ofAddress(address)).filter(isFollowing)
  const follower = found.find(({ choice }) => choice.weekly) ?? found[0]
  return follower && { follower, urls: followUrls(site, follower, followers) }
}

function exampleEmergency(now: number) {
  const text = 'This is an example. The actual email has the text that the boards show.'
  return { title: 'Emergency', text, since: now, until: now + dayMs / 2, places: [] }
}

function exampleFollower(now: number): Omit<Follower, 'language'> {
  return {
    id: 'preview',
    means: 'mail',
    choice: { weekly: { day: 7, hour: 8 }, changes: true, tomorrow: false, emergency: false },
    createdAt: now - 30 * dayMs,
    confirmedAt: now - 30 * dayMs,
    sent: {},
    lastSentAt: 0,
    failures: 0,
    nextAt: 0,
  }
}

function urlsBelow(publicUrl: string): FollowUrls {
  const urlFor = (purpose: string) => `${publicUrl}/follow/${purpose}/preview`
  const invitation = `${publicUrl}/l/preview/`
  return { confirm: urlFor('confirm'), manage: urlFor('manage'), end: urlFor('end'), invitation }
}
