import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { missingCopy } from '../collections/status/status-sentences.ts'
import { statusFrom } from '../collections/status/status.ts'
import { defaultPublicFeeds, feedIds, feeds } from '../feeds/catalog.ts'
import { readFeedOptions } from '../feeds/feed-options.ts'
import { createRenderers, type Feed, type FeedFormat } from '../feeds/feed.ts'
import { keptIdHost } from '../app/id-host.ts'
import { siteFromSettings } from '../app/site-from-settings.ts'
import { createUpstreamSync } from '../app/upstream-sync.ts'
import { profiles, type Profile } from '../records/profile.ts'
import type { Command } from './command.ts'
import { commandConfig, configuredAddress, siteOption } from './command-config.ts'
import { openConfiguredStore } from './configured-store.ts'
import { UsageError } from './user-errors.ts'

const help = `Usage: npx feedhouse render FEED.FORMAT [options]

Writes one feed to standard output, exactly as the service would send it. Accepts the same options
as the feed's URL, like 'calendar.ics?calendar=3&alarm=30'. Reads the website first if the stored copy
is older than FRESH_SECONDS, within the API call limits. If the website cannot be read, renders the
last good copy and prints a warning to standard error.

  --profile PROFILE  public (default), members, or full: everything, including who rents and who
                     signed up
  --site NAME        name of the site, if SITES_FILE lists several

FEED is one of: ${feedIds.join(', ')}
`

const run: Command['run'] = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { ...siteOption, profile: { type: 'string' } },
  })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) {
    throw new UsageError('Usage: render FEED.FORMAT, like render events.ics; see --help.')
  }
  const { feed, format, chosen } = readFeedArgument(name)
  const profile = readProfile(values.profile ?? 'public')
  const config = commandConfig(values, context)
  if (!config.site) {
    throw new UsageError(
      'SITE_URL is not set, so there is no website to render. The demo cannot be rendered.',
    )
  }
  await using running = new AsyncDisposableStack()
  const store = running.use(await openConfiguredStore(config, context.stderr))
  const clock = systemClock
  const log = context.createLogger('silent')
  const { idHost: configured, otherSites } = config
  const idHost = await keptIdHost(store, {
    siteUrl: config.site.url,
    idHost: configured,
    otherSites,
    log,
  })
  const { client, collections } = await createUpstreamSync(running, {
    config,
    site: config.site,
    store,
    clock,
    random: Math.random,
    publicFeeds: [feed],
    links: { open: () => [] },
    stopping: new AbortController(),
    log,
  })
  await collections.readDue(feed.resource)
  const [state] = collections.states()
  const collection = collections.copyOf(feed.resource)
  if (!collection) throw new UsageError(missingCopy(feed.resource, state?.failure))
  if (state?.failure || state?.kept?.held) {
    const { sentences } = statusFrom({
      collections: [state],
      storeFailure: collections.storeFailure(),
      budget: await client.budget(),
      token: client.tokens.state(),
      timeZone: config.site.timeZone,
    })
    context.stderr.write(`${sentences.join('\n')}\n`)
  }
  const { publicUrl } = await configuredAddress(store.documents, config)
  const publicFeedIds = config.publicFeeds ?? defaultPublicFeeds
  const site = siteFromSettings(config.site, {
    idHost,
    publicUrl,
    publicFeedIds,
    hubs: config.hubs,
  })
  const request = { format, profile, now: clock.now(), chosen }
  const { body } = feed.render(collection, request, createRenderers(site))
  await writeTo(context.stdout, body)
}

export const renderCommand: Command = { help, run }

/** Parses FEED.FORMAT with options. Throws a `UsageError`. */
function readFeedArgument(name: string) {
  const [path = '', queryText = ''] = name.split(/\?(.*)/s)
  const [id = '', ending = ''] = path.replace(/^\//, '').split(/\.(.*)/s)
  const feed = feeds.find((each) => each.id === id)
  if (!feed) throw new UsageError(`Unknown feed: ${id}. Available feeds: ${feedIds.join(', ')}.`)
  const format = feed.formats.find((each) => each === ending)
  if (!format) {
    const addresses = feed.formats.map((each) => `${id}.${each}`)
    throw new UsageError(
      `The ${id} feed has no ${path}. Available formats: ${addresses.join(', ')}.`,
    )
  }
  const query = new URLSearchParams(queryText)
  const unknown = [...query.keys()].find((option) => !isOption(feed, format, option))
  if (unknown !== undefined) throw new UsageError(`${path} has no option ${unknown}.`)
  const reading = readFeedOptions(feed, format, query)
  if (!reading.ok) throw new UsageError(reading.reason)
  return { feed, format, chosen: reading.chosen }
}

function isOption(feed: Feed, format: FeedFormat, name: string): boolean {
  return Object.values(feed.options(format)).some((option) => option.name === name)
}

function readProfile(text: string): Profile {
  const profile = profiles.find((each) => each === text)
  if (profile) return profile
  throw new UsageError(`--profile must be one of: ${profiles.join(', ')}.`)
}

/** Writes to standard output. Resolves even if the reader closes the pipe early. */
async function writeTo(stdout: Writable, body: Buffer): Promise<void> {
  await new Promise<void>((resolve) => stdout.write(body, () => resolve()))
}
