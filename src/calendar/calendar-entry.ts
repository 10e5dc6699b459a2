import type { SiteDate, SiteDateTime } from '../records/site-time.ts'
import type { Place } from './place.ts'

/** When an entry is: whole days with an exclusive end, or wall-clock times of the site. */
export type EntryTime =
  | { readonly allDay: true; readonly start: SiteDate; readonly end: SiteDate }
  | { readonly allDay: false; readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

/** What an entry says, as plain text. */
export type EntryText = {
  /** One line, never empty. */
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly categories: readonly string[]
}

/** The STATUS of RFC 5545 3.8.1.11. */
export type EntryStatus = 'confirmed' | 'tentative' | 'cancelled'

/** Which version of a record an entry shows. Milliseconds since the epoch. */
export type Revision = {
  /** Rises with every change. */
  readonly sequence: number
  readonly lastModified: number
  readonly created: number | undefined
}

/** What a calendar feed shows of one record. */
export type CalendarEntry = EntryText & {
  readonly uid: string
  readonly time: EntryTime
  readonly status: EntryStatus
  /** Whether it blocks the time of those who subscribe. */
  readonly isBusy: boolean
  /** The place that `location` names, where the settings describe it. */
  readonly place?: Place | undefined
  /** Where people read about it. */
  readonly url: string | undefined
  readonly revision: Revision
}
