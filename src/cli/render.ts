import type { Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { systemClock } from '../clock.ts'
import { missingCopy } from '../collections/status/status-sentences.ts'
import { statusFrom } from '../collections/status/status.ts'
import {
  createCatalog,
  defaultPublicFeeds,
  feedIds,
  standardCatalog,
  type Catalog,
} from '../feeds/catalog.ts'
import { CollectionUnavailable } from '../collections/collection.ts'
import { createTopicReplies } from '../collections/topic-replies.ts'
import { isCombined } from '../feeds/combined-feed.ts'
import { readFeedOptions } from '../feeds/feed-options.ts'
import { createRenderers, type Feed } from '../feeds/feed.ts'
import { keptIdHost } from '../app/id-host.ts'
import { siteFromSettings } from '../config/site-from-settings.ts'
import { createDuplicateMemory } from '../representations/duplicate-memory.ts'
import { createUpstreamSync } from '../app/upstream-sync.ts'
import { renderTopic, topicIdIn } from '../feeds/topic-feed.ts'
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

FEED is one of: ${feedIds.join(', ')},
a feed in DATABASE_FEEDS,
or one that combines others: ${standardCatalog.combinedFeeds.map(({ id }) => id).join(', ')}. For the profile public, it
combines the public feeds, and otherwise all feeds.
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
  const profile = readProfile(values.profile ?? 'public')
  const config = commandConfig(values, context)
  const catalog = createCatalog(config.site?.databases)
  const argument = readFeedArgument(name, catalog)
  const { feed, format, chosen } = argument
  if (!config.site) {
    throw new UsageError(
      'SITE_URL is not set, so there is no website to render. The demo cannot be rendered.',
    )
  }
  const topicId = topicIdIn(feed.id, chosen.values)
  if (topicId !== undefined && profile === 'public') {
    throw new UsageError('Replies exist only below feed links. Add --profile members.')
  }
  const publicFeedIds = config.publicFeeds ?? defaultPublicFeeds
  const sources = sourcesOf(argument, profile, { publicFeedIds, catalog })
  await using running = new AsyncDisposableStack()
  const store = running.use(await openConfiguredStore(config, context.stderr))
  const clock = systemClock
  const log = context.createLogger('silent')
  const { idHost: configured, configuredHosts } = config
  const idHost = await keptIdHost(store, {
    siteUrl: config.site.url,
    idHost: configured,
    configuredHosts,
    log,
  })
  const { client, collections } = await createUpstreamSync(running, {
    config,
    site: config.site,
    store,
    clock,
    random: Math.random,
    catalog,
    publicFeeds: sources,
    links: { open: () => [] },
    stopping: new AbortController(),
    log,
  })
  for (const { resource } of sources) await collections.readDue(resource)
  const copies = sources.flatMap((each) => {
    const source = collections.copyOf(each.resource)
    return source ? [{ feed: each, source }] : []
  })
  const [first] = copies
  const states = collections.states()
  const missing = states
    .filter(({ resource }) => !copies.some(({ feed }) => feed.resource === resource))
    .map(({ resource, failure }) => missingCopy(resource, failure))
  if (!first) throw new UsageError(missing[0] ?? 'There is nothing to render.')
  if (states.some(({ failure, kept }) => failure || kept?.held)) {
    const { sentences } = statusFrom({
      collections: states,
      load: collections.readingLoad(),
      storeFailure: collections.storeFailure(),
      budget: await client.budget(),
      token: client.tokens.state(),
      timeZone: config.site.timeZone,
      now: clock.now(),
    })
    context.stderr.write(`${sentences.join('\n')}\n`)
  }
  const { publicUrl } = await configuredAddress(store.documents, config)
  const site = siteFromSettings(config.site, {
    idHost,
    publicUrl,
    publicFeedIds,
    hubs: config.hubs,
  })
  const request = { format, profile, now: clock.now(), chosen }
  const renderers = createRenderers(site)
  const { documents } = store
  const memory = createDuplicateMemory({
    documents,
    feeds: catalog.feeds,
    collections,
    site,
    clock,
    log,
  })
  const { dataService } = client
  const { read } = createTopicReplies({
    dataService,
    collections,
    siteTimeZone: site.timeZone,
    clock,
    log,
  })
  const { body } = isCombined(feed)
    ? feed.render(
        copies,
        { ...request, duplicates: await memory.duplicatesFor(profile) },
        renderers,
      )
    : topicId === undefined
      ? feed.render(first.source, request, renderers)
      : renderTopic(await read(topicId).catch(withoutReplies), request, renderers)
  await writeTo(context.stdout, body)
}

export const renderCommand: Command = { help, run }

function withoutReplies(error: unknown): never {
  if (!(error instanceof CollectionUnavailable)) throw error
  throw new UsageError('The replies to this topic cannot be read from the website now.')
}

/** Parses FEED.FORMAT with options. Throws a `UsageError`. */
function readFeedArgument(name: string, { feeds, combinedFeeds }: Catalog) {
  const addressedFeeds = [...feeds, ...combinedFeeds]
  const [path = '', queryText = ''] = name.split(/\?(.*)/s)
  const [id = '', ending = ''] = path.replace(/^\//, '').split(/\.(.*)/s)
  const feed = addressedFeeds.find((each) => each.id === id)
  if (!feed) {
    const known = addressedFeeds.map((each) => each.id)
    throw new UsageError(`Unknown feed: ${id}. Available feeds: ${known.join(', ')}.`)
  }
  const format = feed.formats.find((each) => each === ending)
  if (!format) {
    const addresses = feed.formats.map((each) => `${id}.${each}`)
    throw new UsageError(
      `The ${id} feed has no ${path}. Available formats: ${addresses.join(', ')}.`,
    )
  }
  const query = new URLSearchParams(queryText)
  const options = Object.values(feed.options(format)).map((option) => option.name)
  const unknown = [...query.keys()].find((option) => !options.includes(option))
  if (unknown !== undefined) throw new UsageError(`${path} has no option ${unknown}.`)
  const reading = readFeedOptions(feed, format, query)
  if (!reading.ok) throw new UsageError(reading.reason)
  return { feed, format, chosen: reading.chosen }
}

/** Returns the feeds whose records are shown. Throws a `UsageError` if there are none. */
function sourcesOf(
  { feed, format, chosen }: ReturnType<typeof readFeedArgument>,
  profile: Profile,
  {
    publicFeedIds,
    catalog,
  }: { readonly publicFeedIds: readonly string[]; readonly catalog: Catalog },
): readonly Feed[] {
  if (!isCombined(feed)) return [feed]
  const name = `${feed.id}.${format}`
  if (!feed.isForEveryone && profile === 'public') {
    throw new UsageError(`${name} exists only below feed links. Add --profile members.`)
  }
  const readable = catalog.feedsOf({ feedIds: profile === 'public' ? publicFeedIds : undefined })
  const sources = feed.sourcesFrom(readable, format, chosen)
  if (sources.length === 0) throw new UsageError(`No public feed is part of ${name}.`)
  return sources
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
