import { lastChangeOf, type ChangeHistory } from '../records/change-history.ts'
import { oneLine } from '../records/plain-text.ts'
import { instantFromSiteTime } from '../records/site-time.ts'
import type { Media, Picture } from './media.ts'
import { tagUri } from './tag-uri.ts'

const maxSummaryLength = 400
const maxTitleLength = 300
const untitled = 'Untitled'

/** What a news feed shows of one record. Milliseconds since the epoch. */
export type FeedItem = {
  /** A tag URI. */
  readonly id: string
  readonly recordId: number
  readonly url: string
  /** Plain text. */
  readonly title: string
  /** Plain text. */
  readonly summary: string
  /** Clean HTML with absolute addresses, never empty. */
  readonly contentHtml: string
  readonly author: string
  readonly category: string
  /** The first one comes first everywhere. */
  readonly pictures: readonly Picture[]
  readonly attachments: readonly Media[]
  readonly publishedAt: number
  readonly updatedAt: number
  /** When it is no longer shown; infinite for never. */
  readonly expiresAt: number
}

/** When an item is shown; the rest of it, which takes longer to make, is made for those shown. */
export type ItemDraft = Pick<FeedItem, 'recordId' | 'publishedAt' | 'expiresAt'> & {
  /** The highest comes first. */
  readonly order: number
  readonly make: () => FeedItem
}

/** What items are made with beside the record. */
export type ItemSource = {
  readonly siteUrl: string
  readonly idHost: string
  readonly timeZone: string
  /** Where people read an item. */
  readonly urlOf: (recordId: number) => string
  readonly knownOf: (recordId: number) => ChangeHistory
}

/** What an item says; what most kinds have none of may be left out. */
export type ItemContents = Pick<FeedItem, 'title' | 'summary' | 'contentHtml'> &
  Partial<Pick<FeedItem, 'author' | 'category' | 'pictures' | 'attachments'>>

/** A record as an item, with what is the same for every kind. */
export function itemDraft(
  draft: Pick<ItemDraft, 'recordId' | 'publishedAt'> &
    Partial<Pick<ItemDraft, 'expiresAt' | 'order'>> & {
      /** What every id of its kind begins with, for ever. */
      readonly idPrefix: 'announcement' | 'events' | 'news'
      readonly contents: () => ItemContents
    },
  { idHost, timeZone, urlOf, knownOf }: ItemSource,
): ItemDraft {
  const { recordId, publishedAt, expiresAt = Infinity, order = publishedAt } = draft
  const make = (): FeedItem => ({
    id: tagUri(idHost, `${draft.idPrefix}-${recordId}`),
    recordId,
    url: urlOf(recordId),
    author: '',
    category: '',
    pictures: [],
    attachments: [],
    ...draft.contents(),
    publishedAt,
    expiresAt,
    updatedAt: Math.max(
      publishedAt,
      lastChangeOf(knownOf(recordId), (time) => instantFromSiteTime(time, timeZone)),
    ),
  })
  return { recordId, publishedAt, expiresAt, order, make }
}

export type ShownItems = {
  readonly items: readonly FeedItem[]
  /** When the clock last made them others, and when it does next; infinite for never. */
  readonly validFrom: number
  readonly validUntil: number
}

/** The items that are out at an instant and not over, in their order, at most so many. */
export function itemsShownAt(
  drafts: readonly ItemDraft[],
  { now, limit }: { readonly now: number; readonly limit: number },
): ShownItems {
  const changes = drafts.flatMap(({ publishedAt, expiresAt }) =>
    expiresAt > publishedAt ? [publishedAt, expiresAt] : [],
  )
  return {
    items: drafts
      .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
      .toSorted((a, b) => b.order - a.order || b.recordId - a.recordId)
      .slice(0, limit)
      .map((draft) => draft.make()),
    validFrom: changes.reduce(
      (last, instant) => (instant <= now ? Math.max(last, instant) : last),
      -Infinity,
    ),
    validUntil: changes.reduce(
      (next, instant) => (instant > now ? Math.min(next, instant) : next),
      Infinity,
    ),
  }
}

export function titleOf(html: string): string {
  return cutAt(oneLine(html), maxTitleLength) || untitled
}

/** On one line, cut at a word. */
export function summaryOf(html: string): string {
  return cutAt(oneLine(html), maxSummaryLength)
}

function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  const cut = text.slice(0, length)
  const lastSpace = cut.lastIndexOf(' ')
  return `${cut.slice(0, lastSpace > length / 2 ? lastSpace : length).replace(/\p{Surrogate}$/u, '')}…`
}
