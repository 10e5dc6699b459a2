import { randomBytes } from 'node:crypto'
import { DateTime } from 'luxon'
import { systemClock } from '../clock.ts'
import { loadKept, storedStates } from '../collections/copy/stored-collections.ts'
import type { Config } from '../config/config.ts'
import { createCatalog, linkFeedIds, standardCatalog } from '../feeds/catalog.ts'
import { membersFault, membersWarning } from '../feeds/catalog/members.ts'
import { memberFault } from '../feeds/personal-members.ts'
import { urlWarning } from '../links/url-warning.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  readMemberId,
  type FeedLink,
  type LinkProfile,
} from '../links/feed-link.ts'
import { editLink, revokeLink, type EditedLink, type LinkEdit } from '../links/link-edits.ts'
import {
  addLink,
  linkBuckets,
  maxLinks,
  storedLinks,
  type ListedLink,
} from '../links/stored-links.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents, Store } from '../store/store.ts'
import {
  commandConfig,
  configuredAddress,
  forEachSite,
  currentDatabases,
  openConfiguredStore,
  openPresentStore,
  sitesOptions,
} from './chosen-site.ts'
import {
  defineCommand,
  flag,
  onlyOperand,
  valueOption,
  type CommandContext,
  type Print,
  type Values,
} from './command.ts'
import { confirmChange } from './confirm-change.ts'
import { UsageError } from './user-errors.ts'

const describing = {
  label: valueOption('LABEL', 'who or what the link is for, so that you can tell links apart'),
  feeds: valueOption(
    'LIST',
    `feeds, separated by commas: ${linkFeedIds.join(', ')}; those in DATABASE_FEEDS; or all (default)`,
  ),
  profile: valueOption(
    'PROFILE',
    'members (default): what members may see. full: everything, including who rents, who signed up, and drafts',
  ),
  expires: valueOption(
    'DATE',
    'last day on which the link works, like 2027-06-30; or never (default)',
  ),
  member: valueOption(
    'ID',
    'ID of the member on the website whom the link is for; or none (default)',
  ),
}

const pausing = {
  pause: flag('with set: show only a notice, until the link is resumed'),
  resume: flag('with set: show everything again'),
}

const common = {
  json: flag('print one JSON line per link'),
  ...sitesOptions('with list: show the links of all sites in SITES_FILE'),
}

const options = { ...describing, ...pausing, ...common }

type Given = Values<typeof options>

type Call = { readonly values: Given; readonly print: Print; readonly context: CommandContext }

const optionsOf: Readonly<Record<string, readonly string[]>> = {
  add: [...Object.keys(describing), 'json', 'site'],
  set: [...Object.keys(describing), ...Object.keys(pausing), 'json', 'site'],
  list: Object.keys(common),
  revoke: ['json', 'site'],
}

export const command = defineCommand({
  options,
  help: (list) => `Usage: npx feedhouse link add --label LABEL [options]
       npx feedhouse link set ID [options]
       npx feedhouse link list
       npx feedhouse link revoke ID

Manages feed links, which are secret URLs for private feeds. A running service picks up every change
within seconds. With Redis, a command waits for that, so that Redis cannot lose the change.

add creates a link and prints its URL, which is shown only once. Send it only to the person it is
for. set changes only the given properties of a link, whose URL stays the same.

${list('label', 'feeds', 'profile', 'expires', 'member')}
${list('pause', 'resume')}
list shows all links, with the date and the kind of app of each link's last use. revoke ends a link.
Its feeds show subscribers a notice for 14 days, then stop working.

${list('json', 'site', 'all')}`,
  takesOperands: true,
  async run({ values, operands: [subcommand = '', ...operands], print }, context) {
    const known = Object.hasOwn(optionsOf, subcommand) ? optionsOf[subcommand] : undefined
    const unknown = Object.keys(values).find((name) => known?.includes(name) === false)
    if (unknown !== undefined) {
      throw new UsageError(`Unknown option '--${unknown}' for link; see link --help.`)
    }
    const [extra] = subcommand === 'add' || subcommand === 'list' ? operands : []
    if (extra !== undefined) {
      throw new UsageError(`Unexpected argument '${extra}' for link; see link --help.`)
    }
    const call = { values, print, context }
    switch (subcommand) {
      case 'add':
        return add(call)
      case 'set':
        return set(onlyId(operands, 'link set ID [options]'), call)
      case 'list':
        return list(call)
      case 'revoke':
        return revoke(onlyId(operands, 'link revoke ID'), call)
      default:
        throw new UsageError(
          'Usage: npx feedhouse link add, link set, link list or link revoke; see --help.',
        )
    }
  },
})

function onlyId(operands: readonly string[], usage: string): string {
  return onlyOperand(operands, `${usage}; link list shows the IDs.`)
}

async function add({ values, print, context }: Call): Promise<void> {
  const label = readLabelOption(values.label ?? '')
  const config = commandConfig(values, context)
  const described = readDescription(values)
  await using store = await openLinks(config, context, openConfiguredStore)
  const { documents } = store
  const chosen = { ...described, ...(await readFeedsOption(values, documents, config)) }
  const { publicUrl, timeZone } = await configuredAddress(documents, config)
  const now = systemClock.now()
  const expiry = readExpiryOption(values, timeZone, now)
  const defaults = { feedIds: undefined, profile: 'members', expiresAt: undefined } as const
  const newLink = { ...defaults, ...chosen, ...expiry, label }
  const fault = membersFault(newLink)
  if (fault !== undefined) throw new UsageError(fault)
  const added = await addLink(documents, newLink, { now, random: randomBytes })
  if (!added.ok) throw new UsageError(tooManyText)
  const warnUnconfirmed = await confirmChange(store, linkBuckets)
  const url = `${publicUrl}/l/${added.key}/`
  const { id, feeds, profile, expiresAt, memberId } = jsonFromLink(added.link)
  print(
    { id, label, url, feeds, profile, expiresAt, memberId },
    `${url}\n\nThis is the link for ${label} (${id}). It is shown only once.`,
  )
  warn(context, urlWarning(publicUrl))
  warn(context, membersWarning(added.link))
  await warnOfMember(documents, added.link, context)
  if (await isRunning(documents)) return warnUnconfirmed(context)
  warn(context, 'Feedhouse is not running here. The link will work once it is.')
}

async function set(id: string, { values, print, context }: Call): Promise<void> {
  const config = commandConfig(values, context)
  const described = { ...readDescription(values), ...readPauseOption(values) }
  const isEmpty = Object.keys(described).length === 0
  if (isEmpty && values.expires === undefined && values.feeds === undefined) {
    throw new UsageError('Name what to change, like --label or --pause; see link --help.')
  }
  await using store = await openLinks(config, context)
  const { documents } = store
  const chosen = { ...described, ...(await readFeedsOption(values, documents, config)) }
  const { timeZone } = await configuredAddress(documents, config)
  const now = systemClock.now()
  const edit = { ...chosen, ...readExpiryOption(values, timeZone, now) }
  const edited = await editLink(documents, id, edit, { now, random: randomBytes })
  if (!edited.ok) throw new UsageError(notEdited[edited.reason](id))
  const warnUnconfirmed = await confirmChange(store, linkBuckets)
  const links = await storedLinks(documents)
  const link = links.find((each) => each.id === id)
  if (!link) return
  printLink(link, timeZone, print)
  warnUnconfirmed(context)
  warn(context, membersWarning(link))
  if (chosen.memberId !== undefined) await warnOfMember(documents, link, context)
}

async function list({ values, context }: Call): Promise<number> {
  return forEachSite(values, context, async ({ config, print }) => {
    await using store = await openLinks(config, context)
    const links = await storedLinks(store.documents)
    const { timeZone } = await configuredAddress(store.documents, config)
    for (const link of links) printLink(link, timeZone, print)
    if (links.length === 0 && !values.json) context.stdout.write('There are no feed links.\n')
  })
}

async function revoke(id: string, { values, print, context }: Call): Promise<void> {
  await using store = await openLinks(commandConfig(values, context), context)
  const change = { now: systemClock.now(), random: randomBytes }
  const revoked = await revokeLink(store.documents, id, change)
  if (!revoked) throw new UsageError(notEdited.unknown(id))
  const warnUnconfirmed = await confirmChange(store, linkBuckets)
  print(jsonFromLink(revoked), `Revoked ${revoked.label} (${id}).`)
  warnUnconfirmed(context)
}

/** Opens the store for a subcommand. Throws if the demo is not running, because its links do not persist. */
async function openLinks(
  config: Config,
  context: CommandContext,
  open = openPresentStore,
): Promise<Store> {
  await using opening = new AsyncDisposableStack()
  const store = opening.use(await open(config, context))
  if (!config.site && !(await isRunning(store.documents))) {
    throw new UsageError(
      'SITE_URL is not set, and the demo is not running. The demo always starts without feed links.',
    )
  }
  opening.move()
  return store
}

const tooManyText = `There are already ${maxLinks} feed links, the maximum. Revoke links that are no longer needed.`

const notEdited: Readonly<
  Record<Extract<EditedLink, { ok: false }>['reason'], (id: string) => string>
> = {
  unknown: (id) => `Unknown feed link: ${id}; see link list.`,
  revoked: (id) => `The feed link ${id} has been revoked. Create a new one with link add.`,
  'changed meanwhile': (id) => `The feed link ${id} has just been changed. Please try again.`,
  'too many': () => tooManyText,
}

/** Explains why a link does not show its member's own sign-ups, if the members have been read. */
async function warnOfMember(documents: Documents, link: FeedLink, context: CommandContext) {
  const state = (await storedStates(documents)).get('members')
  const copy = state && (await loadKept(documents, 'members', state))
  const members = copy?.collection.records
  if (members) warn(context, memberFault(link, members, true))
}

function warn({ stderr }: CommandContext, text: string | undefined): void {
  if (text !== undefined) stderr.write(`${text}\n`)
}

/** Reads the options that do not require the store. Throws a `UsageError` for an invalid value. */
function readDescription({ label, profile, member }: Given): LinkEdit {
  return {
    ...(label === undefined ? {} : { label: readLabelOption(label) }),
    ...(profile === undefined ? {} : { profile: readProfile(profile) }),
    ...(member === undefined ? {} : { memberId: readMember(member) }),
  }
}

/** Reads `--feeds`, which can name feeds that were made on the admin page. */
async function readFeedsOption(
  { feeds }: Given,
  documents: Documents,
  config: Config,
): Promise<LinkEdit> {
  if (feeds === undefined) return {}
  const { linkFeeds } = createCatalog(await currentDatabases(documents, config))
  const ids = linkFeeds.map(({ id }) => id)
  return { feedIds: readFeeds(feeds, ids) }
}

function readExpiryOption({ expires }: Given, timeZone: string, now: number): LinkEdit {
  if (expires === undefined) return {}
  if (expires === 'never') return { expiresAt: undefined }
  const expiresAt = readExpiry(expires, { timeZone, now })
  if (expiresAt !== undefined) return { expiresAt }
  throw new UsageError('--expires must be today or a later date, like 2027-06-30; or never.')
}

function readPauseOption({ pause, resume }: Given): LinkEdit {
  if (pause && resume) throw new UsageError('Use either --pause or --resume.')
  return pause || resume ? { isPaused: pause === true } : {}
}

function readLabelOption(text: string): string {
  const label = readLabel(text)
  if (label !== undefined) return label
  throw new UsageError(
    `--label is required: who or what the link is for, in at most ${maxLabelLength} characters.`,
  )
}

function readProfile(value: string): LinkProfile {
  const profile = linkProfiles.find((known) => known === value)
  if (profile) return profile
  throw new UsageError(`--profile must be ${linkProfiles.join(' or ')}.`)
}

function readFeeds(list: string, feedIds: readonly string[]): readonly string[] | undefined {
  if (list === 'all') return undefined
  const ids = [...new Set(list.split(',').map((id) => id.trim()))]
  if (ids.every((id) => feedIds.includes(id))) return ids
  throw new UsageError(`--feeds must be a comma-separated list of: ${feedIds.join(', ')}; or all.`)
}

function readMember(value: string): number | undefined {
  if (value === 'none') return undefined
  const memberId = readMemberId(value)
  if (memberId !== undefined) return memberId
  throw new UsageError('--member must be the ID of a member on the website, like 12; or none.')
}

function jsonFromLink(link: FeedLink) {
  return {
    id: link.id,
    label: link.label,
    feeds: link.feedIds ?? standardCatalog.feedsOf(link).map(({ id }) => id),
    profile: link.profile,
    expiresAt: isoFromInstant(link.expiresAt),
    createdAt: isoFromInstant(link.createdAt),
    revokedAt: isoFromInstant(link.revokedAt),
    memberId: link.memberId ?? null,
    pausedAt: isoFromInstant(link.pausedAt),
  }
}

function printLink(link: ListedLink, timeZone: string, print: Print): void {
  const { lastUse } = link
  const use = { lastUsedAt: isoFromInstant(lastUse?.at), lastClient: lastUse?.client ?? null }
  print({ ...jsonFromLink(link), ...use }, lineFromLink(link, timeZone))
}

function lineFromLink(link: ListedLink, timeZone: string): string {
  const at = (instant: number, format = 'yyyy-MM-dd') =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat(format)
  const { id, label, profile, feedIds: ids, memberId, lastUse } = link
  const { createdAt, expiresAt, revokedAt, pausedAt } = link
  return [
    `${id}  ${label}`,
    `${profile}, ${ids?.join(', ') ?? 'all feeds'}, created ${at(createdAt)}`,
    expiresAt === undefined ? '' : `expires after ${at(expiresAt)}`,
    memberId === undefined ? '' : `member ${memberId}`,
    pausedAt === undefined ? '' : `paused ${at(pausedAt)}`,
    revokedAt === undefined ? '' : `revoked ${at(revokedAt)}`,
    lastUse ? `last used ${at(lastUse.at, 'yyyy-MM-dd HH:mm')} (${lastUse.client})` : 'never used',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function isoFromInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}
