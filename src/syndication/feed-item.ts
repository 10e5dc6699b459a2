import { lastChangeOf, type ChangeHistory } from '../records/recorded-change.ts'
import type { SiteTimes } from '../records/language.ts'
import type { PictureTypes } from '../records/picture-types.ts'
import type { Profile } from '../records/profile.ts'
import { oneLine } from '../text/plain-text.ts'
import { shortenedText } from '../text/text.ts'
import { instantFromSiteTime, type SiteDateTime } from '../records/site-time.ts'
import { validityAt, type Validity } from '../records/validity.ts'
import { escapeHtml, paragraphsFrom } from '../text/html.ts'
import type { Media, Picture } from './media.ts'
import { itemMessages } from './messages.ts'
import { tagUri } from './channel.ts'

const maxSummaryLength = 400
const maxTitleLength = 300

/** Length of the text that summaries and titles are made from, which is cheaper than all of it. */
const maxConvertedLength = 1_000

/** When an item is shown, in milliseconds since the epoch. */
type ItemTimes = {
  readonly publishedAt: number
  /** When the item disappears, or Infinity if it never does. */
  readonly expiresAt: number
}

/** Properties that many items do not have. */
type ItemDetails = {
  readonly author: string
  readonly category: string
  /** The most important picture comes first. */
  readonly pictures: readonly Picture[]
  readonly attachments: readonly Media[]
  /** When and where the event takes place, or undefined for other items. */
  readonly event?: EventFacts
}

/** One record in a news feed. */
export type FeedItem = ItemTimes &
  ItemDetails & {
    /** A tag URI. */
    readonly id: string
    readonly recordId: number
    readonly url: string
    /** Plain text. */
    readonly title: string
    /** Plain text. Items made from records create it when it is read, because that is expensive. */
    readonly summary: string
    /** Sanitized HTML with absolute URLs, never empty. */
    readonly contentHtml: string
    /** Milliseconds since the epoch. */
    readonly updatedAt: number
  }

/** Defaults for properties that many items do not have. */
export const itemDefaults = {
  author: '',
  category: '',
  pictures: [],
  attachments: [],
  expiresAt: Infinity,
} as const satisfies Partial<FeedItem>

export type EventFacts = {
  /** A date for an all-day event, otherwise a date and time with its offset. */
  readonly start: string
  /** Like `start`, but exclusive, so an all-day event ends on the following day. */
  readonly end: string | undefined
  readonly allDay: boolean
  /** Name of the time zone in the IANA database. */
  readonly timeZone: string
  /** Plain text, which may be empty. */
  readonly place: string
}

/** Data for selecting items. `make` is expensive and only called for selected items. */
export type ItemDraft = ItemTimes & {
  readonly recordId: number
  /** Sort key, descending. */
  readonly order: number
  /** Returns the item's title, which is much cheaper than creating the item. */
  readonly title: () => string
  readonly make: () => FeedItem
}

export type ItemSource = SiteTimes & {
  readonly siteUrl: string
  readonly idHost: string
  readonly profile: Profile
  /** Returns the URL of an item's page on Feedhouse. */
  readonly urlOf: (recordId: number) => string
  /** Returns the URL of an item on the website, or the website's own URL if that is unknown. */
  readonly websiteUrlOf: (recordId: number) => string
  readonly knownOf: (recordId: number) => ChangeHistory
  readonly pictureTypes?: PictureTypes | undefined
}

/** Rules for converting a record to an item. Properties that most items lack are optional. */
export type ItemRecipe = Partial<ItemTimes> & {
  /** Sort key, descending. By default, the publication time. */
  readonly order?: number
  /** Prefix of the ids for this kind of item. Must never change. */
  readonly idPrefix: string
  /** When the item replaces an earlier one with the same id. By default, never. */
  readonly replacesAt?: number
  readonly title: () => string
  readonly contents: (title: string) => ItemContents
}

type ItemContents = Partial<ItemDetails> & {
  readonly summary: () => string
  /** Parts of the sanitized HTML, which may be empty. If all are, the title is the content. */
  readonly html: readonly string[]
}

/** By default, the publication time is the time when the record appeared on the website. */
export function itemDraft(
  { id: recordId, created }: { readonly id: number; readonly created?: SiteDateTime | undefined },
  source: ItemSource,
  recipe: ItemRecipe,
): ItemDraft {
  const { idHost, timeZone, urlOf, knownOf } = source
  const { title: titleFrom, publishedAt = appearanceOf(created, recordId, source) } = recipe
  const { expiresAt = Infinity, order = publishedAt, replacesAt = 0 } = recipe
  const appearsAt = Math.max(publishedAt, replacesAt)
  const make = (): FeedItem => {
    const title = titleFrom()
    const { html, summary, ...contents } = recipe.contents(title)
    return {
      ...itemDefaults,
      ...contents,
      id: tagUri(idHost, `${recipe.idPrefix}-${recordId}`),
      recordId,
      url: urlOf(recordId),
      title,
      get summary() {
        return summary()
      },
      contentHtml: html.filter((part) => part !== '').join('\n') || paragraphsFrom(title),
      publishedAt,
      expiresAt,
      updatedAt: Math.max(
        appearsAt,
        lastChangeOf(knownOf(recordId), (time) => instantFromSiteTime(time, timeZone)),
      ),
    }
  }
  return { recordId, publishedAt: appearsAt, expiresAt, order, title: titleFrom, make }
}

/**
 * Returns when a record appeared to readers with a profile. For records from before the first
 * reading, it is the creation time, unless that is in the future.
 */
export function appearanceOf(
  created: SiteDateTime | undefined,
  recordId: number,
  { knownOf, timeZone, profile }: ItemSource,
): number {
  const { firstSeenAt, appearedAt, publicAt = 0 } = knownOf(recordId)
  const createdAt = created === undefined ? Infinity : instantFromSiteTime(created, timeZone)
  const shownAt = appearedAt ?? Math.min(createdAt, firstSeenAt)
  return profile === 'public' ? Math.max(shownAt, publicAt) : shownAt
}

/**
 * Returns up to `limit` items that are published and unexpired at an instant, in order, with the
 * period during which no item appears or expires.
 */
export function itemsShownAt(
  drafts: readonly ItemDraft[],
  { now, limit }: { readonly now: number; readonly limit: number },
): Validity & { readonly items: readonly FeedItem[] } {
  const changes = drafts.flatMap(({ publishedAt, expiresAt }) =>
    expiresAt > publishedAt ? [publishedAt, expiresAt] : [],
  )
  return {
    items: drafts
      .filter(({ publishedAt, expiresAt }) => publishedAt <= now && now < expiresAt)
      .toSorted((a, b) => b.order - a.order || b.recordId - a.recordId)
      .slice(0, limit)
      .map((draft) => draft.make()),
    ...validityAt(now, changes),
  }
}

export function asSummary(item: FeedItem): FeedItem {
  return { ...item, contentHtml: `<p>${escapeHtml(item.summary || item.title)}</p>` }
}

export function titleOf(html: string, site: SiteTimes): string {
  return titleOfText(oneLine(html, maxConvertedLength), site)
}

export function titleOfText(line: string, { language }: SiteTimes): string {
  return shortenedText(line, maxTitleLength) || itemMessages(language).untitled
}

/** Returns a single line of plain text, truncated at a word. */
export function summaryOf(html: string): string {
  return summaryOfText(oneLine(html, maxConvertedLength))
}

/** Like `summaryOf`, for plain text. */
export function summaryOfText(text: string): string {
  return shortenedText(text.replace(/\s+/g, ' ').trim(), maxSummaryLength)
}

/** Returns a summary of plain texts, each of which is at least one sentence. */
export function summaryOfTexts(texts: readonly string[]): string {
  return summaryOfText(
    texts
      .filter((text) => text !== '')
      .map(asSentence)
      .join(' '),
  )
}

/** Ends the text with a period unless it has punctuation, so that another sentence can follow. */
export function asSentence(text: string): string {
  return text === '' || /[.!?…:;]$/.test(text) ? text : `${text}.`
}
