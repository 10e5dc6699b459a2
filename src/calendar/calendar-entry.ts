import type { SiteDate, SiteDateTime } from '../records/site-time.ts'

/** When an entry is: whole days with an exclusive end, or wall-clock times of the site. */
export type EntryTime =
  | { readonly allDay: true; readonly start: SiteDate; readonly end: SiteDate }
  | { readonly allDay: false; readonly start: SiteDateTime; readonly end: SiteDateTime | undefined }

/** What a calendar feed shows of one record. */
export type CalendarEntry = {
  readonly uid: string
  readonly time: EntryTime
  readonly summary: string
  readonly location: string
  readonly description: string
  readonly categories: readonly string[]
  readonly created: SiteDateTime | undefined
  readonly modified: SiteDateTime | undefined
}
