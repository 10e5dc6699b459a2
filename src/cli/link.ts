import { randomBytes } from 'node:crypto'
import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { DateTime } from 'luxon'
import { systemClock } from '../clock.ts'
import type { Config } from '../config/config.ts'
import { feedIds } from '../feeds/catalog.ts'
import { addressWarning } from '../links/address-warning.ts'
import { linkProfiles, maxLabelLength, readLabel, type FeedLink } from '../links/feed-link.ts'
import { readExpiry } from '../links/link-expiry.ts'
import {
  addLink,
  maxLinks,
  revokeLink,
  storedLinks,
  type ListedLink,
} from '../links/stored-links.ts'
import { isRunning } from '../store/replicas.ts'
import type { Documents, Store } from '../store/store.ts'
import type { Command, CommandContext } from './command.ts'
import { commandConfig, siteOption } from './command-config.ts'
import { configuredAddress } from './configured-address.ts'
import { openConfiguredStore, openPresentStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse link add --label LABEL [options]
       npx feedhouse link list
       npx feedhouse link revoke ID

Feed links: secret addresses by which people read feeds that are not public. A running service
knows of every change within seconds.

add prints the address of a new link, which is shown this once; send it to whom it is for.

  --label LABEL      whom or what it is for, to know it by when it is to be revoked
  --feeds LIST       its feeds, with commas between, of ${feedIds.join(', ')}
                     (default: all of them)
  --profile PROFILE  members (default): what members may see. full: everything, also who rents,
                     who signed up, and what is not published yet
  --expires DATE     the last day on which it gives feeds, like 2027-06-30 (default: none)

list shows all links, and when and with what each was used last. revoke ends one: for 14 days it
tells its subscribers so, then it is gone.

  --json             prints one JSON line for each link
  --site NAME        which site, where SITES_FILE has several
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
      throw new UsageError('The command is: link add, link list or link revoke; see --help.')
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
      `--label must say whom it is for, in at most ${maxLabelLength} characters.`,
    )
  }
  const profile = linkProfiles.find((known) => known === (values.profile ?? 'members'))
  if (!profile) throw new UsageError(`--profile must be ${linkProfiles.join(' or ')}.`)
  const feedsWished = readFeeds(values.feeds)
  await withStore(
    values,
    context,
    async ({ documents, config }) => {
      const { publicUrl, timeZone } = await configuredAddress(documents, config)
      const now = systemClock.now()
      const expiresAt =
        values.expires === undefined ? undefined : readExpiry(values.expires, { timeZone, now })
      if (values.expires !== undefined && expiresAt === undefined) {
        throw new UsageError('--expires must be today or a later day, like 2027-06-30.')
      }
      const wish = { label, feedIds: feedsWished, profile, expiresAt }
      const added = await addLink(documents, wish, { now, random: randomBytes })
      if (!added.ok) {
        throw new UsageError(`There are ${maxLinks} feed links already. Revoke those nobody needs.`)
      }
      const url = `${publicUrl}/l/${added.key}/`
      const { id, feeds, expiresAt: expires } = jsonOf(added.link)
      print(
        context,
        values.json
          ? JSON.stringify({ id, label, url, feeds, profile, expiresAt: expires })
          : `${url}\n\nThis is the link for ${label} (${id}). It is shown this once.`,
      )
      const warning = addressWarning(publicUrl)
      if (warning !== undefined) context.stderr.write(`${warning}\n`)
      if (!(await isRunning(documents))) {
        context.stderr.write('No Feedhouse is running here now: the link works once one is.\n')
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
        ? JSON.stringify({ ...jsonOf(link), ...useOf(link) })
        : lineOf(link, timeZone)
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
    throw new UsageError('The command is: link revoke ID; link list shows the IDs.')
  }
  await withStore(values, context, async ({ documents }) => {
    const revoked = await revokeLink(documents, id, { now: systemClock.now(), random: randomBytes })
    if (!revoked) throw new UsageError(`There is no feed link ${id}; link list shows them.`)
    print(
      context,
      values.json ? JSON.stringify(jsonOf(revoked)) : `${revoked.label} (${id}) is revoked.`,
    )
  })
}

/** Links are listed and revoked only where some may have been made. */
async function withStore(
  chosen: Parameters<typeof commandConfig>[0],
  context: CommandContext,
  work: Work,
  open: (config: Config, stderr: Writable) => Promise<Store> = openPresentStore,
): Promise<void> {
  const config = commandConfig(chosen, context)
  await using store = await open(config, context.stderr)
  await work({ documents: store.documents, config })
}

function readFeeds(list: string | undefined): readonly string[] | undefined {
  if (list === undefined) return undefined
  const ids = [...new Set(list.split(',').map((id) => id.trim()))]
  if (ids.every((id) => feedIds.includes(id))) return ids
  throw new UsageError(`--feeds must name feeds of: ${feedIds.join(', ')}.`)
}

function jsonOf(link: FeedLink) {
  return {
    id: link.id,
    label: link.label,
    feeds: link.feedIds ?? feedIds,
    profile: link.profile,
    expiresAt: isoOf(link.expiresAt),
    createdAt: isoOf(link.createdAt),
    revokedAt: isoOf(link.revokedAt),
  }
}

function useOf({ lastUse }: ListedLink) {
  return { lastUsedAt: isoOf(lastUse?.at), lastClient: lastUse?.client ?? null }
}

function lineOf(link: ListedLink, timeZone: string): string {
  const at = (instant: number, format = 'yyyy-MM-dd') =>
    DateTime.fromMillis(instant, { zone: timeZone, locale: 'en' }).toFormat(format)
  const { id, label, profile, feedIds: ids, createdAt, expiresAt, revokedAt, lastUse } = link
  return [
    `${id}  ${label}`,
    `${profile}, ${ids?.join(', ') ?? 'all feeds'}, made ${at(createdAt)}`,
    expiresAt === undefined ? '' : `expires after ${at(expiresAt)}`,
    revokedAt === undefined ? '' : `revoked ${at(revokedAt)}`,
    lastUse ? `last used ${at(lastUse.at, 'yyyy-MM-dd HH:mm')} (${lastUse.client})` : 'never used',
  ]
    .filter((part) => part !== '')
    .join('; ')
}

function isoOf(instant: number | undefined): string | null {
  return instant === undefined ? null : new Date(instant).toISOString()
}

function print({ stdout }: Pick<CommandContext, 'stdout'>, line: string): void {
  stdout.write(`${line}\n`)
}
