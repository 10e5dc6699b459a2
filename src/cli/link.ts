import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { loadKept } from '../collections/copy/stored-collections.ts'
import { storedStates } from '../collections/copy/stored-states.ts'
import type { Config } from '../config/config.ts'
import { linkFeedIds } from '../feeds/catalog.ts'
import { membersWarning } from '../feeds/catalog/members.ts'
import { memberFault } from '../feeds/personal-members.ts'
import { addressWarning } from '../links/address-warning.ts'
import type { FeedLink } from '../links/feed-link.ts'
import { editLink, revokeLink, type EditedLink } from '../links/link-edits.ts'
import { addLink, maxLinks, storedLinks, type ListedLink } from '../links/stored-links.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents, Store } from '../store/store.ts'
import type { Command, CommandContext } from './command.ts'
import { commandConfig, configuredAddress, siteOption } from './command-config.ts'
import { forEachSite, lineFromJson, sitesOptions, type ChosenSite } from './each-site.ts'
import { openConfiguredStore, openPresentStore } from './configured-store.ts'
import {
  linkOptions,
  newLinkFrom,
  pauseOptions,
  readExpiryOption,
  readLabelOption,
  readLinkOptions,
  readPauseOption,
} from './link-options.ts'
import { jsonFromLink, lineFromLink, useFromLink } from './link-output.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse link add --label LABEL [options]
       npx feedhouse link set ID [options]
       npx feedhouse link list
       npx feedhouse link revoke ID

Manages feed links, which are secret URLs for private feeds. A running service picks up every change
within seconds.

add creates a link and prints its URL, which is shown only once. Send it only to the person it is
for. set changes only the given properties of a link, whose URL stays the same.

  --label LABEL      who or what the link is for, so that you can tell links apart
  --feeds LIST       feeds, separated by commas: ${linkFeedIds.join(', ')};
                     those in DATABASE_FEEDS; or all (default)
  --profile PROFILE  members (default): what members may see. full: everything, including who
                     rents, who signed up, and drafts
  --expires DATE     last day on which the link works, like 2027-06-30; or never (default)
  --member ID        ID of the member on the website whom the link is for; or none (default)

  --pause            with set: show only a notice, until the link is resumed
  --resume           with set: show everything again

list shows all links, with the date and the kind of app of each link's last use. revoke ends a link.
Its feeds show subscribers a notice for 14 days, then stop working.

  --json             print one JSON line per link
  --site NAME        name of the site, if SITES_FILE lists several
  --all              with list: show the links of all sites in SITES_FILE
`

type Work = (context: { readonly documents: Documents; readonly config: Config }) => Promise<void>

const run: Command['run'] = async (args, context) => {
  const [command, ...rest] = args
  switch (command) {
    case 'add':
      return add(rest, context)
    case 'set':
      return set(rest, context)
    case 'list':
      return list(rest, context)
    case 'revoke':
      return revoke(rest, context)
    default:
      throw new UsageError('Usage: link add, link set, link list or link revoke; see --help.')
  }
}

export const linkCommand: Command = { help, run }

const tooManyText = `There are already ${maxLinks} feed links, the maximum. Revoke links that are no longer needed.`

const notEdited: Readonly<
  Record<Extract<EditedLink, { ok: false }>['reason'], (id: string) => string>
> = {
  unknown: (id) => `Unknown feed link: ${id}; see link list.`,
  revoked: (id) => `The feed link ${id} has been revoked. Create a new one with link add.`,
  'changed meanwhile': (id) => `The feed link ${id} has just been changed. Please try again.`,
  'too many': () => tooManyText,
}

const common = { ...siteOption, json: { type: 'boolean' } } as const

async function add(args: readonly string[], context: CommandContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { ...linkOptions, ...common } })
  const label = readLabelOption(values.label)
  const config = commandConfig(values, context)
  const chosen = readLinkOptions(values, config)
  await withStore(
    config,
    context,
    async ({ documents }) => {
      const { publicUrl, timeZone } = await configuredAddress(documents, config)
      const now = systemClock.now()
      const expiry = readExpiryOption(values, { timeZone, now })
      const newLink = newLinkFrom({ ...chosen, ...expiry, label })
      const added = await addLink(documents, newLink, { now, random: randomBytes })
      if (!added.ok) throw new UsageError(tooManyText)
      const url = `${publicUrl}/l/${added.key}/`
      const { id, feeds, profile, expiresAt, memberId } = jsonFromLink(added.link)
      print(
        context,
        values.json
          ? JSON.stringify({ id, label, url, feeds, profile, expiresAt, memberId })
          : `${url}\n\nThis is the link for ${label} (${id}). It is shown only once.`,
      )
      warn(context, addressWarning(publicUrl))
      warn(context, membersWarning(added.link))
      await warnOfMember(documents, added.link, context)
      if (!(await isRunning(documents))) {
        context.stderr.write('Feedhouse is not running here. The link will work once it is.\n')
      }
    },
    openConfiguredStore,
  )
}

async function set(args: readonly string[], context: CommandContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...linkOptions, ...pauseOptions, ...common },
  })
  const id = onlyId(positionals, 'link set ID [options]')
  const config = commandConfig(values, context)
  const chosen = { ...readLinkOptions(values, config), ...readPauseOption(values) }
  if (Object.keys(chosen).length === 0 && values.expires === undefined) {
    throw new UsageError('Name what to change, like --label or --pause; see link --help.')
  }
  await withStore(config, context, async ({ documents }) => {
    const { timeZone } = await configuredAddress(documents, config)
    const now = systemClock.now()
    const edit = { ...chosen, ...readExpiryOption(values, { timeZone, now }) }
    const edited = await editLink(documents, id, edit, { now, random: randomBytes })
    if (!edited.ok) throw new UsageError(notEdited[edited.reason](id))
    const links = await storedLinks(documents)
    const link = links.find((each) => each.id === id)
    if (!link) return
    printLink(link, timeZone, { values, context })
    warn(context, membersWarning(link))
    if (chosen.memberId !== undefined) await warnOfMember(documents, link, context)
  })
}

/** Explains why a link does not show its member's own sign-ups, if the members have been read. */
async function warnOfMember(
  documents: Documents,
  link: FeedLink,
  context: CommandContext,
): Promise<void> {
  const state = (await storedStates(documents)).get('members')
  const copy = state && (await loadKept(documents, 'members', state))
  const members = copy?.collection.records
  if (members) warn(context, memberFault(link, { members, isAllowed: true }))
}

async function list(args: readonly string[], context: CommandContext): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { ...common, ...sitesOptions } })
  return forEachSite(values, context, ({ config: chosen, jsonLine }) =>
    withStore(chosen, context, async ({ documents, config }) => {
      const links = await storedLinks(documents)
      const { timeZone } = await configuredAddress(documents, config)
      for (const link of links) printLink(link, timeZone, { values, context, jsonLine })
      if (links.length === 0 && !values.json) print(context, 'There are no feed links.')
    }),
  )
}

async function revoke(args: readonly string[], context: CommandContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: common,
  })
  const id = onlyId(positionals, 'link revoke ID')
  await withStore(commandConfig(values, context), context, async ({ documents }) => {
    const revoked = await revokeLink(documents, id, { now: systemClock.now(), random: randomBytes })
    if (!revoked) throw new UsageError(notEdited.unknown(id))
    print(
      context,
      values.json ? JSON.stringify(jsonFromLink(revoked)) : `Revoked ${revoked.label} (${id}).`,
    )
  })
}

/** Returns the only positional argument. Throws a `UsageError` if there is none, or more than one. */
function onlyId([id, ...more]: readonly string[], usage: string): string {
  if (id !== undefined && more.length === 0) return id
  throw new UsageError(`Usage: ${usage}; link list shows the IDs.`)
}

type OpenStore = (config: Config, stderr: Writable) => Promise<Store>

/** Opens the store for a subcommand. Throws if the demo is not running, because its links do not persist. */
async function withStore(
  config: Config,
  context: CommandContext,
  work: Work,
  open: OpenStore = openPresentStore,
): Promise<void> {
  await using store = await open(config, context.stderr)
  if (!config.site && !(await isRunning(store.documents))) {
    throw new UsageError(
      'SITE_URL is not set, and the demo is not running. The demo always starts without feed links.',
    )
  }
  await work({ documents: store.documents, config })
}

function printLink(
  link: ListedLink,
  timeZone: string,
  to: {
    readonly values: { readonly json?: boolean }
    readonly context: CommandContext
    readonly jsonLine?: ChosenSite['jsonLine']
  },
): void {
  const { values, context, jsonLine = lineFromJson } = to
  const json = { ...jsonFromLink(link), ...useFromLink(link) }
  context.stdout.write(values.json ? jsonLine(json) : `${lineFromLink(link, timeZone)}\n`)
}

function warn({ stderr }: CommandContext, text: string | undefined): void {
  if (text !== undefined) stderr.write(`${text}\n`)
}

function print({ stdout }: CommandContext, line: string): void {
  stdout.write(`${line}\n`)
}
