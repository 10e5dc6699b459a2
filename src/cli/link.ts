import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { DateTime } from 'luxon'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { feedIds } from '../feeds/catalog.ts'
import { addressWarning } from '../links/address-warning.ts'
import {
  linkProfiles,
  maxLabelLength,
  readExpiry,
  readLabel,
  type FeedLink,
} from '../links/feed-link.ts'
import { revokeLink } from '../links/link-edits.ts'
import { addLink, maxLinks, storedLinks, type ListedLink } from '../links/stored-links.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents, Store } from '../store/store.ts'
import type { Command, CommandContext } from './command.ts'
import { commandConfig, configuredAddress, siteOption } from './command-config.ts'
import { openConfiguredStore, openPresentStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse link add --label LABEL [options]
       npx feedhouse link list
       npx feedhouse link revoke ID

Manages feed links, which are secret URLs for private feeds. A running service picks up every change
within seconds.

add creates a link and prints its URL, which is shown only once. Send it only to the person it is
for.

  --label LABEL      who or what the link is for, so that you can tell links apart
  --feeds LIST       feeds, separated by commas: ${feedIds.join(', ')}
                     (default: all feeds)
  --profile PROFILE  members (default): what members may see. full: everything, including who
                     rents, who signed up, and drafts
  --expires DATE     last day on which the link works, like 2027-06-30 (default: never expires)

list shows all links, with the date and the kind of app of each link's last use. revoke ends a link.
Its feeds show subscribers a notice for 14 days, then stop working.

  --json             print one JSON line per link
  --site NAME        name of the site, if SITES_FILE lists several
`

type Work = (context: { readonly documents: Documents; readonly config: Config }) => Promise<void>

const run: Command['run'] = async (args, context) => {
  const [command, ...rest] = args
  switch (command) {
    case 'add':
      return add(rest, context)
    case 'list':
      return list(rest, context)
    case 'revoke':
      return revoke(rest, context)
    default:
      throw new UsageError('Usage: link add, link list or link revoke; see --help.')
  }
}

export const linkCommand: Command = { help, run }

const common = { ...siteOption, json: { type: 'boolean' } } as const

async function add(args: readonly string[], context: CommandContext): Promise<void> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: { label: text, feeds: text, profile: text, expires: text, ...common },
  })
  const label = readLabel(values.label ?? '')
  if (label === undefined) {
    throw new UsageError(
      `--label is required: who or what the link is for, in at most ${maxLabelLength} characters.`,
    )
  }
  const profile = linkProfiles.find((known) => known === (values.profile ?? 'members'))
  if (!profile) throw new UsageError(`--profile must be ${linkProfiles.join(' or ')}.`)
  const chosenFeeds = readFeeds(values.feeds)
  await withStore(
    values,
    context,
    async ({ documents, config }) => {
      const { publicUrl, timeZone } = await configuredAddress(documents, config)
      const now = systemClock.now()
      const expiresAt =
        values.expires === undefined ? undefined : readExpiry(values.expires, { timeZone, now })
      if (values.expires !== undefined && expiresAt === undefined) {
        throw new UsageError('--expires must be today or a later date, like 2027-06-30.')
      }
      const newLink = { label, feedIds: chosenFeeds, profile, expiresAt }
      const added = await addLink(documents, newLink, { now, random: randomBytes })
      if (!added.ok) {
        throw new UsageError(
          `There are already ${maxLinks} feed links, the maximum. Revoke links that are no longer needed.`,
        )
      }
      const url = `${publicUrl}/l/${added.key}/`
      const { id, feeds, expiresAt: expires } = jsonFromLink(added.link)
      print(
        context,
        values.json
          ? JSON.stringify({ id, label, url, feeds, profile, expiresAt: expires })
          : `${url}\n\nThis is the link for ${label} (${id}). It is shown only once.`,
      )
      const warning = addressWarning(publicUrl)
      if (warning !== undefined) context.stderr.write(`${warning}\n`)
      if (!(await isRunning(documents))) {
        context.stderr.write('Feedhouse is not running here. The link will work once it is.\n')
      }
    },
    openConfiguredStore,
  )
}

async function list(args: readonly string[], context: CommandContext): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: common })
  await withStore(values, context, async ({ documents, config }) => {
    const links = await storedLinks(documents)
    const { timeZone } = await configuredAddress(documents, config)
    for (const link of links) {
      const line = values.json
        ? JSON.stringify({ ...jsonFromLink(link), ...useFromLink(link) })
        : lineFromLink(link, timeZone)
      print(context, line)
    }
    if (links.length === 0 && !values.json) print(context, 'There are no feed links.')
  })
}

async function revoke(args: readonly string[], context: CommandContext): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: common,
  })
  const [id, ...more] = positionals
  if (id === undefined || more.length > 0) {
    throw new UsageError('Usage: link revoke ID; link list shows the IDs.')
  }
  await withStore(values, context, async ({ documents }) => {
    const revoked = await revokeLink(documents, id, { now: systemClock.now(), random: randomBytes })
    if (!revoked) throw new UsageError(`Unknown feed link: ${id}; see link list.`)
    print(
      context,
      values.json ? JSON.stringify(jsonFromLink(revoked)) : `Revoked ${revoked.label} (${id}).`,
    )
  })
}

/** Opens the store for a subcommand. Throws if the demo is not running, because its links do not persist. */
async function withStore(
  chosen: Parameters<typeof commandConfig>[0],
  context: CommandContext,
  work: Work,
  open: (config: Config, stderr: Writable) => Promise<Store> = openPresentStore,
): Promise<void> {
  const config = commandConfig(chosen, context)
  await using store = await open(config, context.stderr)
  if (!config.site && !(await isRunning(store.documents))) {
    throw new UsageError(
      'SITE_URL is not set, and the demo is not running. The demo always starts without feed links.',
    )
  }
  await work({ documents: store.documents, config })
}

function readFeeds(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined
  const ids = [...new Set(list.split(',').map((id) => id.trim()))]
  if (ids.every((id) => feedIds.includes(id))) return ids
  throw new UsageError(`--feeds must be a comma-separated list of: ${feedIds.join(', ')}.`)
}

function jsonFromLink(link: FeedLink) {
  return {
    id: link.id,
    label: link.label,
    feeds: link.feedIds ?? feedIds,
    profile: link.profile,
    expiresAt: isoFromInstant(link.expiresAt),
    createdAt: isoFromInstant(link.createdAt),
    revokedAt: isoFromInstant(link.revokedAt),
  }
}

function useFromLink({ lastUse }: ListedLink) {
  return { lastUsedAt: isoFromInstant(lastUse?.at), lastClient: lastUse?.client ?? null }
}

function lineFromLink(link: ListedLink, timeZone: string): string {
  const at = (instant: number, format = 'yyyy-MM-dd') =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat(format)
  const { id, label, profile, feedIds: ids, createdAt, expiresAt, revokedAt, lastUse } = link
  return [
    `${id}  ${label}`,
    `${profile}, ${ids?.join(', ') ?? 'all feeds'}, created ${at(createdAt)}`,
    expiresAt === undefined ? '' : `expires after ${at(expiresAt)}`,
    revokedAt === undefined ? '' : `revoked ${at(revokedAt)}`,
    lastUse ? `last used ${at(lastUse.at, 'yyyy-MM-dd HH:mm')} (${lastUse.client})` : 'never used',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function isoFromInstant(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}

function print({ stdout }: Pick<CommandContext, 'stdout'>, line: string): void {
  stdout.write(`${line}\n`)
}
