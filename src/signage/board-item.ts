import type { SiteOffsets } from '../records/clock-changes.ts'
import { shortenedText } from '../text/text.ts'
import type { BoardMessages } from './messages/en.ts'

/**
 * How a board shows a feed's items. The agenda lists them by day. Announcements, stories and posts
 * each have their own card. Unlike stories, posts are not news. Today's bookings, calls for
 * volunteers and recent changes share cards.
 */
export type FeedRole = 'agenda' | 'announcement' | 'story' | 'post' | 'bookings' | 'volunteers'

/**
 * How a board shows an item. `duty` items show who is on duty, and an `emergency` item covers the
 * whole board until it ends.
 */
export type BoardRole = FeedRole | 'changes' | 'duty' | 'emergency'

/** The properties that every item has. */
type BoardEntry = {
  /** Never changes. */
  readonly id: string
  /** Id of its feed. */
  readonly kind: string
  readonly role: BoardRole
  readonly title: string
  /** The item's time or publication time, formatted. */
  readonly when: string
  /** Date for all-day items, otherwise date and time. For news and announcements, the publication time. */
  readonly start: string
  /** Exclusive end or expiration, or null for items that end at the end of their day or never. */
  readonly end: string | null
}

/** The first picture of an item. */
export type BoardPicture = {
  readonly pictureUrl: string | null
  readonly pictureType: string | null
  readonly pictureWidth: number | null
  readonly pictureHeight: number | null
}

/**
 * An item on a board. The object is flat, so that players can treat it as a table row. Strings are plain
 * text, and times are wall-clock times at the site.
 */
export type BoardItem = BoardEntry &
  BoardPicture & {
    readonly text: string
    readonly allDay: boolean
    /** The times of an all-day item, or otherwise its end, if they cannot be read. */
    readonly asWritten?: string
    readonly location: string
    readonly category: string
    /** Open and total slots, if people can sign up. */
    readonly open: number | null
    readonly places: number | null
    /** Color of its calendar, `#4169e1`, or an empty string for items without a calendar. */
    readonly color: string
    /** Hall or room of a booking, or an empty string for other items. */
    readonly room: string
    /** When its calendar entry last changed, if that was in the last 24 hours. */
    readonly changedAt: string | null
    /** `start` and `end` with the site's UTC offset, or null for dates and for missing ends. */
    readonly startAt: string | null
    readonly endAt: string | null
  }

const maxTextLength = 400

/** Creates an item, with empty values for properties that its kind does not have. */
export function boardItem(item: BoardEntry & Partial<BoardItem>): BoardItem {
  return {
    id: item.id,
    kind: item.kind,
    title: item.title,
    text: shortenedText(item.text ?? '', maxTextLength),
    when: item.when,
    start: item.start,
    end: item.end,
    allDay: item.allDay ?? false,
    ...(item.asWritten !== undefined && { asWritten: item.asWritten }),
    location: item.location ?? '',
    category: item.category ?? '',
    open: item.open ?? null,
    places: item.places ?? null,
    pictureUrl: item.pictureUrl ?? null,
    pictureType: item.pictureType ?? null,
    pictureWidth: item.pictureWidth ?? null,
    pictureHeight: item.pictureHeight ?? null,
    role: item.role,
    color: item.color ?? '',
    room: item.room ?? '',
    changedAt: item.changedAt ?? null,
    startAt: item.startAt ?? null,
    endAt: item.endAt ?? null,
  }
}

/** Merges the items of all feeds, for a board or an agenda. Drops items that repeat an item in another feed. */
export function boardOf<T extends Listed>(
  items: readonly T[],
  feeds: readonly { readonly id: string; readonly repeats?: string }[],
): readonly T[] {
  const repeated = new Map(feeds.map(({ id, repeats }) => [id, repeats]))
  const others = new Set(items.map(({ kind }) => repeated.get(kind)))
  const repeatable = items.filter(({ kind }) => others.has(kind))
  const known = new Set(repeatable.map((item) => duplicateKey(item.kind, item)))
  return items.filter((item) => {
    const other = repeated.get(item.kind)
    return other === undefined || !known.has(duplicateKey(other, item))
  })
}

type Listed = {
  readonly kind: string
  readonly title: string
  readonly start: string
  readonly allDay: boolean
}

function duplicateKey(kind: string, { title, start, allDay }: Listed): string {
  return JSON.stringify([kind, title.toLowerCase(), start, allDay])
}

/** Viewing distance in meters. */
export type Distance = 3 | 5 | 10

/** Readable variants of an accent color, each with the color of text on it. */
export type BoardAccent = Readonly<
  Record<'light' | 'dark' | 'brand', { readonly accent: string; readonly onAccent: string }>
>

/** Data that a board page passes to its script. */
export type BoardData = {
  readonly items: readonly BoardItem[]
  /** When the website was last read, in milliseconds since the epoch. */
  readonly readAt: number
  /** Interval between reads of the website. */
  readonly intervalMs: number
  /** The site's offsets, so that screens need no time zone rules. */
  readonly offsets: SiteOffsets
  readonly version: string
  readonly lang: string
  readonly words: BoardMessages
  /** Seconds per page. */
  readonly rotate: number
  /** Maximum number of entries on a page. */
  readonly rows: number | undefined
  readonly distance: Distance
  /** Diagonal of the screen. */
  readonly inches: number
  /** Replaces the site's colors. Null keeps them. */
  readonly accent: BoardAccent | null
  /** URL for a QR code on the board, or null for none. */
  readonly follow: string | null
  /** Paths of files on a static host, relative to the page. */
  readonly source?: string
  readonly worker?: string
}
