import type { Writable } from 'node:stream'
import { atOnce } from '../steps.ts'
import { readOptions, type ChosenOptions } from '../options/option.ts'
import { CollectionUnavailable } from '../collections/collection.ts'
import { missingCopy } from '../collections/status/status-sentences.ts'
import { statusFrom } from '../collections/status/status.ts'
import { createTopicReplies } from '../collections/topic-replies.ts'
import {
  createCatalog,
  defaultPublicFeeds,
  feedIds,
  standardCatalog,
  type Catalog,
} from '../feeds/catalog.ts'
import { languageParameter, readLanguageOption } from '../feeds/feed-options.ts'
import { createRenderers, type ServedFeed } from '../feeds/feed.ts'
import type { FeedFormat } from '../feeds/formats.ts'
import { renderTopic, topicIdIn } from '../feeds/topic-feed.ts'
import { siteIn } from '../feeds/site.ts'
import { defaultLanguage } from '../records/language.ts'
import { profiles, type Profile } from '../records/profile.ts'
import { renderTarget } from '../representations/render-target.ts'
import { copiesOf, inLanguage, targetOf, type Target } from '../representations/target.ts'
import { zoneDataOf } from '../zone-data/zone-data.ts'
import { commandConfig, openConfiguredStore, siteOption } from './chosen-site.ts'
import { commandSettings } from './command-settings.ts'
import { openWebsite } from './command-website.ts'
import { defineCommand, onlyOperand, valueOption } from './command.ts'
import { UsageError } from './user-errors.ts'

export const command = defineCommand({
  options: {
    profile: valueOption(
      'PROFILE',
      'public (default), members, or full: everything, including who rents and who signed up',
    ),
    ...siteOption,
  },
  help: (list) => `Usage: npx feedhouse render FEED.FORMAT [options]

Writes one feed to standard output, exactly as the service would send it. Accepts the same options
as the feed's URL, like 'calendar.ics?calendar=3&alarm=30&lang=es'. Reads the website first if the stored copy
is older than FRESH_SECONDS, within the API call limits. If the website cannot be read, renders the
last good copy and prints a warning to standard error.

${list()}
FEED is one of: ${feedIds.join(', ')},
a feed in DATABASE_FEEDS,
or one that combines others: ${standardCatalog.combinedFeeds.map(({ id }) => id).join(', ')}. For the profile public, it
combines the public feeds, and otherwise all feeds.
`,
  takesOperands: true,
  async run({ values, operands }, context) {
    const name = onlyOperand(operands, 'render FEED.FORMAT, like render events.ics; see --help.')
    const profile = readProfile(values.profile ?? 'public')
    const given = commandConfig(values, context)
    if (!given.site) {
      readFeedArgument(name, standardCatalog)
      throw new UsageError(
        'SITE_URL is not set, so there is no website to render. The demo cannot be rendered.',
      )
    }
    await using running = new AsyncDisposableStack()
    const store = running.use(await openConfiguredStore(given, context))
    const { config } = await commandSettings({ ...given, site: given.site }, store, context)
    const { site: settings, publicFeeds: publicFeedIds } = config
    const catalog = createCatalog(settings.databases)
    const argument = readFeedArgument(name, catalog)
    const { feed, format, chosen, query } = argument
    const topicId = topicIdIn(feed.id, chosen.values)
    if (topicId !== undefined && profile === 'public') {
      throw new UsageError('Replies exist only below feed links. Add --profile members.')
    }
    const reading = readLanguageOption(query, { language: settings.language ?? defaultLanguage })
    if (!reading.ok) throw new UsageError(reading.reason)
    const { language } = reading
    const { publicFeeds: givenIds = defaultPublicFeeds } = given
    const isWithdrawn = givenIds.includes(feed.id) && !publicFeedIds.includes(feed.id)
    if (isWithdrawn && profile === 'public') {
      throw new UsageError(
        `The ${feed.id} feed was made private on the admin page. Add --profile members.`,
      )
    }
    const target = targetFrom(argument, profile, publicFeedIds, catalog)
    const parts = { config, store, catalog, publicFeeds: target.sources }
    const website = await openWebsite(running, parts, context)
    const { client, collections, site, clock } = website
    for (const { resource } of target.sources) await collections.readDue(resource)
    const copies = copiesOf(target, collections)
    const states = collections.states()
    if (copies.sources.length === 0) {
      const [missing] = states.map(({ resource, failure }) => missingCopy(resource, failure))
      throw new UsageError(missing ?? 'There is nothing to render.')
    }
    if (states.some(({ failure, kept }) => failure || kept?.held)) {
      const { sentences } = statusFrom({
        collections: states,
        load: collections.readingLoad(),
        storeFailure: collections.storeFailure(),
        budget: await client.budget(),
        token: client.tokens.state(),
        timeZone: settings.timeZone,
        zoneData: zoneDataOf(settings.timeZone, clock.now()),
        language: siteIn(site, 'en').language,
        now: clock.now(),
      })
      context.stderr.write(`${sentences.join('\n')}\n`)
    }
    const renderers = createRenderers(site)
    const now = clock.now()
    if (topicId !== undefined) {
      const { dataService } = client
      const replies = createTopicReplies({ ...website, dataService, siteTimeZone: site.timeZone })
      const topic = await replies.read(topicId).catch(withoutReplies)
      const request = { format, profile, now, chosen }
      const { body } = atOnce(renderTopic(topic, request, renderers.inLanguage(language)))
      return writeTo(context.stdout.stream, body)
    }
    const groups = await website.duplicatesFor(profile)
    const duplicates = () => groups
    const { representation } = await renderTarget(
      inLanguage(target, language),
      { copies, previous: undefined },
      { takeTurn: () => Promise.resolve(), renderers, duplicates, presentationChangedAt: 0, now },
    )
    await writeTo(context.stdout.stream, representation.encodings.identity.bytes)
  },
})

function withoutReplies(error: unknown): never {
  if (!(error instanceof CollectionUnavailable)) throw error
  throw new UsageError('The replies to this topic cannot be read from the website right now.')
}

type FeedArgument = {
  readonly feed: ServedFeed
  readonly format: FeedFormat
  readonly chosen: ChosenOptions
  readonly query: URLSearchParams
}

function readFeedArgument(name: string, { feeds, combinedFeeds }: Catalog): FeedArgument {
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
  const unknown = [...query.keys()].find(
    (option) => ![...options, languageParameter].includes(option),
  )
  if (unknown !== undefined) throw new UsageError(`${path} has no option ${unknown}.`)
  const reading = readOptions(feed.options(format), query)
  if (!reading.ok) throw new UsageError(reading.reason)
  return { feed, format, chosen: reading.chosen, query }
}

/** Returns the target to render. Throws a `UsageError` for a combined feed without any feeds. */
function targetFrom(
  { feed, format, chosen }: FeedArgument,
  profile: Profile,
  publicFeedIds: readonly string[],
  catalog: Catalog,
): Target {
  const name = `${feed.id}.${format}`
  if (feed.isForEveryone === false && profile === 'public') {
    throw new UsageError(`${name} exists only below feed links. Add --profile members.`)
  }
  if (feed.isPublicOnly && profile !== 'public') {
    throw new UsageError(`${name} contains only public feeds. Leave out --profile.`)
  }
  const listed = catalog.feedsOf({ feedIds: profile === 'public' ? publicFeedIds : undefined })
  const readable = catalog.feeds.filter((each) => each.id === feed.id || listed.includes(each))
  const sources = feed.sourcesFrom(readable, format, chosen)
  if (sources.length === 0) throw new UsageError(`No public feed is part of ${name}.`)
  return targetOf(feed, sources, { chosen, format, profile })
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
