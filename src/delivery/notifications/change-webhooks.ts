import { createHash } from 'node:crypto'
import { z } from 'zod'
import { dayMs } from '../../clock.ts'
import type { Copies } from '../../collections/collections.ts'
import { changesOf } from '../../feeds/changes.ts'
import { sourcesOf } from '../../feeds/combined-feed.ts'
import { itemUrl, newsItemsOf, type Feed } from '../../feeds/feed.ts'
import { defaultLanguage } from '../../records/language.ts'
import type { Profile } from '../../records/profile.ts'
import type { DuplicatesFor } from '../../feeds/duplicates.ts'
import type { Site } from '../../feeds/site.ts'
import { queuesSchema, type Review } from './delivery-queue.ts'
import { noticeMessages } from '../../channels/messages.ts'
import { maxLines, type Channel, type Notice } from '../../channels/notice.ts'
import { runOutbox, type OutboxContext } from './outbox.ts'

/** A change to a public entry, or a public news item. */
export const changeItem = z.object({
  /** Permanent, and unique within the site. */
  id: z.string(),
  /** Kind of change, or `news`. */
  kind: z.string(),
  feed: z.string(),
  text: z.string(),
  /** Undefined for an entry that the website no longer shows. */
  url: z.string().optional(),
})

export type ChangeItem = Readonly<z.infer<typeof changeItem>>

/** An item whose content is created only when it is sent. */
export type FoundItem = {
  /** Short hash, different for every version of an item that readers should see. */
  readonly key: string
  /** Id of the item, which its versions share. */
  readonly id: string
  readonly feed: string
  readonly make: () => ChangeItem
}

export type FoundItems = {
  /** Ids of the feeds that have records. */
  readonly feeds: readonly string[]
  readonly items: readonly FoundItem[]
}

type ChangeItemOptions = {
  readonly site: Site
  readonly publicFeeds: readonly Feed[]
  readonly collections: Copies
  readonly duplicatesFor: DuplicatesFor
  /** The default is `public`. */
  readonly profile?: Profile
}

/** Returns the feeds that have records, and their items that can be sent. */
export async function findChangeItems(
  { site, publicFeeds, collections, duplicatesFor, profile = 'public' }: ChangeItemOptions,
  now: number,
): Promise<FoundItems> {
  const sources = sourcesOf(publicFeeds, collections.copyOf)
  const calendars = sources.filter(({ feed }) => 'changes' in feed)
  const duplicates = calendars.length > 1 ? await duplicatesFor(profile) : []
  const changesIn = (language: string) =>
    changesOf(calendars, { ...site, language }, duplicates)
      .filter(({ finalAt, expiresAt }) => finalAt <= now && now < expiresAt)
      .map((change) => ({ ...change, id: `${change.feed.id}-${change.id}` }))
  let texts: ReadonlyMap<string, string> | undefined
  const textOf = (id: string, english: string) => {
    texts ??= new Map(changesIn(site.language).map((change) => [change.id, change.text]))
    return texts.get(id) ?? english
  }
  const changes = changesIn(defaultLanguage).map((change): FoundItem => {
    const { id, feed, kind, text: english, recordId, isShown } = change
    const url = isShown ? itemUrl(feed.id, recordId, site) : undefined
    // The language does not affect the key.
    const key = keyOf(`${id} ${english}`)
    const make = () => ({ id, kind, feed: feed.id, text: textOf(id, english), url })
    return { key, id, feed: feed.id, make }
  })
  const news = sources
    .filter(({ feed }) => !('changes' in feed))
    .flatMap(({ feed, source }) => {
      const drafts = newsItemsOf(feed, source, { values: {}, profile, site })
      return drafts
        .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
        .toSorted((a, b) => a.order - b.order)
        .map(({ recordId, make }): FoundItem => {
          const id = `${feed.id}-${recordId}`
          const item = () => {
            const { title, url } = make()
            const text = noticeMessages(site.language).titled(
              feed.textIn(site.language).title,
              title,
            )
            return { id, kind: 'news', feed: feed.id, text, url }
          }
          return { key: keyOf(id), id, feed: feed.id, make: item }
        })
    })
  return { feeds: sources.map(({ feed }) => feed.id), items: [...changes, ...news] }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}

/** Items that have been sent, so that they are not sent again. */
export const sentChanges = z.object({
  /** Ids of the feeds whose items are known. */
  feeds: z.array(z.string()).readonly(),
  /** Days since the epoch on which each key was first found. */
  seen: z.record(z.string(), z.number()),
})

type SentChanges = z.infer<typeof sentChanges>

export const nothingSent: SentChanges = { feeds: [], seen: {} }

/** Items may come back, for example when the website's data is complete again. */
const vanishedKeptDays = 90
const maxVanished = 5_000

/** Returns the new items. When a feed is seen for the first time, none of its items are new. */
export function newItems(
  before: SentChanges,
  found: FoundItems,
  now: number,
): { readonly sent: SentChanges; readonly items: readonly FoundItem[] } {
  const unseen = found.items.filter(({ key }) => before.seen[key] === undefined)
  const feeds = [...new Set([...before.feeds, ...found.feeds])]
  if (unseen.length === 0 && feeds.length === before.feeds.length) {
    return { sent: before, items: [] }
  }
  const today = Math.floor(now / dayMs)
  const current = new Set(found.items.map(({ key }) => key))
  const vanished = Object.entries(before.seen)
    .filter(([key, day]) => !current.has(key) && day > today - vanishedKeptDays)
    .slice(-maxVanished)
  const present = [...current].map((key) => [key, before.seen[key] ?? today] as const)
  const sent = { feeds, seen: Object.fromEntries([...vanished, ...present]) }
  return { sent, items: unseen.filter(({ feed }) => before.feeds.includes(feed)) }
}

/**
 * Returns a function that reviews items that wait for a receiver. An item is withdrawn if its feed is
 * no longer public or the website no longer shows the record.
 */
export function reviewOf(
  { feeds, items }: FoundItems,
  publicFeedIds: readonly string[],
): (waiting: ChangeItem) => Review<ChangeItem> {
  let found: ReadonlyMap<string, FoundItem> | undefined
  return ({ id, feed }) => {
    if (!publicFeedIds.includes(feed)) return 'withdrawn'
    // There is no copy of its records.
    if (!feeds.includes(feed)) return 'unknown'
    found ??= new Map(items.map((item) => [item.id, item]))
    const latest = found.get(id)
    return latest ? { item: latest.make() } : 'withdrawn'
  }
}

const pollMs = 15_000

const limits = {
  waiting: 500,
  maxAgeMs: 7 * 24 * 60 * 60_000,
  itemsPerMessage: maxLines,
  messagesAtOnce: 1,
  gapMs: 60_000,
}

const stored = z.object({ sent: sentChanges, queues: queuesSchema(changeItem) })

type ChangeOptions = OutboxContext & {
  readonly channels: readonly Channel[]
  readonly site: Site
  readonly publicFeedIds: readonly string[]
  readonly find: (now: number) => Promise<FoundItems>
}

export async function sendChanges(options: ChangeOptions): Promise<void> {
  const { channels, site, publicFeedIds, find, clock } = options
  await runOutbox<ChangeItem, z.infer<typeof stored>>(options, {
    bucket: 'change-webhooks',
    schema: stored,
    initial: { sent: nothingSent, queues: {} },
    receivers: channels,
    intervalMs: pollMs,
    limits,
    async plan(before) {
      const now = clock.now()
      const found = await find(now)
      const { sent, items } = newItems(before.sent, found, now)
      return {
        state: { ...before, sent },
        items: items.map(({ make }) => make()),
        review: reviewOf(found, publicFeedIds),
      }
    },
    messageFrom: (items) => noticeFromChanges(items, site, clock.now()),
  })
}

/** The same changes have the same id, so that receivers recognize a repeated message. */
function noticeFromChanges(
  items: readonly ChangeItem[],
  { name, idHost, publicUrl, language }: Site,
  now: number,
): Notice {
  const ids = items.map(({ id, text }) => `${id} ${text}`).join('\n')
  const hash = createHash('sha256').update(`${idHost}\n${ids}`).digest('hex').slice(0, 32)
  return {
    id: `changes-${hash}`,
    thread: `changes.${idHost}`,
    type: 'changes',
    at: now,
    language,
    siteName: name,
    title: titleFromChanges(items, language),
    lines: items.map(({ text, url }) => ({ text, url })),
    url: `${publicUrl}/`,
    data: { changes: items },
  }
}

export function titleFromChanges(items: readonly ChangeItem[], language: string): string {
  const { title } = noticeMessages(language)
  const changes = items.filter(({ kind }) => kind !== 'news').length
  if (changes === 0) return title.news
  return changes < items.length ? title.changesAndNews(changes) : title.changes(changes)
}
