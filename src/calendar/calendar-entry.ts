import type { SiteDate, SiteDateTime } from '../records/site-time.ts'
import type { Place } from './place.ts'

/** Whole days with an exclusive end, or wall-clock times in the site's time zone. */
export type EntryTime =
  | { readonly allDay: true; readonly start: SiteDate; readonly end: SiteDate }
  | { readonly allDay: false; readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

export type EntryText = {
  /** One line, never empty. */
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly categories: readonly string[]
}

/** STATUS (RFC 5545 3.8.1.11). */
export type EntryStatus = 'confirmed' | 'tentative' | 'cancelled'

/** Version of an entry's record. Times are in milliseconds since the epoch. */
export type Revision = {
  /** Increases with every change. */
  readonly sequence: number
  readonly lastModified: number
  readonly created: number | undefined
}

export type CalendarEntry = EntryText & {
  readonly uid: string
  readonly time: EntryTime
  readonly status: EntryStatus
  readonly isBusy: boolean
  /** The place from the settings that matches `location`. */
  readonly place?: Place | undefined
  readonly url: string | undefined
  readonly revision: Revision
  /** Name of a CSS color (RFC 7986 5.9). Undefined means the calendar's color. */
  readonly color?: string | undefined
  /** UIDs of entries from other sources that this entry replaces. */
  readonly relatedUids?: readonly string[]
}
