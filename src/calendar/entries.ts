import { clocksInWords, firstDayOf, hasDistantEnd } from '../records/date-words.ts'
import type { Profile } from '../records/profile.ts'
import type { FeedResource } from '../records/resources.ts'
import { wholeDay, type CalendarEntry, type EntryTime, type Revision } from './calendar-entry.ts'
import { saysCanceled } from './canceled-title.ts'
import { labeledIn, paragraphs, uidOf, type EntryRecipe, type Reader } from './entry-recipe.ts'
import { calendarMessages } from './messages.ts'
import type { Place } from './place.ts'
import { revisionAt, revisionOf } from './revision.ts'
import type { ShownRecord } from './shown-records.ts'
import type { SiteZone } from './site-zone.ts'

export type EntryContext = {
  readonly reader: Reader
  readonly idHost: string
  readonly zone: SiteZone
  readonly urlOf: (resource: FeedResource, id: number, profile: Profile) => string | undefined
  readonly placeOf: (location: string) => Place | undefined
  /** Returns when settings that an entry shows last changed, or 0 if they have not. */
  readonly settingsChangedAt: (resource: FeedResource, location: string) => number
}

/**
 * Returns a record's entry. The title does not contain "Canceled:". Without `busy`, the recipe
 * decides whether the entry blocks time.
 */
export function entryFrom<R extends FeedResource>(
  recipe: EntryRecipe<R>,
  { record, time, status, known }: ShownRecord<R>,
  { reader, idHost, zone, urlOf, placeOf, settingsChangedAt }: EntryContext,
  busy?: boolean,
): CalendarEntry {
  const { resource, textFor, blocksTime } = recipe
  const isBusy = busy ?? (blocksTime === 'always' || (blocksTime === 'when timed' && !time.allDay))
  const text = textFor(record, reader)
  const { language } = reader
  const unread = time.asWritten === undefined ? '' : clocksInWords(time, language)
  const unreadTime = labeledIn(language)(calendarMessages(language).time, unread)
  const isCanceled = status === 'cancelled'
  // A booking blocks its room until the website deletes it.
  const isOff = isCanceled || (blocksTime !== 'always' && saysCanceled(text.summary))
  return {
    uid: uidOf(recipe.uidPrefix ?? resource, record.id, idHost),
    time,
    status,
    ...text,
    description: paragraphs(unreadTime, text.description),
    place: placeOf(text.location),
    isBusy: isBusy && !isOff && !hasDistantEnd(time),
    url: isCanceled ? undefined : urlOf(resource, record.id, reader.profile),
    revision: revisionOf(record, known, zone, settingsChangedAt(resource, text.location)),
  }
}

/** Returns an entry that shows the number of omitted entries, or an empty list if there are none. */
export function omissionNotice(
  shown: readonly { readonly time: EntryTime }[],
  all: readonly unknown[],
  about: {
    readonly uid: string
    readonly advice: string
    readonly changedAt: number
    readonly language: string
  },
): readonly CalendarEntry[] {
  const last = shown.at(-1)
  if (!last || shown.length === all.length) return []
  const { title, nearest } = calendarMessages(about.language).omitted
  const notice = noticeEntry({
    uid: about.uid,
    summary: title(all.length - shown.length),
    description: `${nearest(shown.length)} ${about.advice}`,
    time: wholeDay(firstDayOf(last.time)),
    revision: revisionAt(about.changedAt),
  })
  return [notice]
}

export function noticeEntry(notice: {
  readonly uid: string
  readonly summary: string
  readonly description: string
  readonly time: EntryTime
  readonly revision: Revision
}): CalendarEntry {
  const isFree = { isBusy: false, status: 'confirmed' } as const
  return { ...notice, ...isFree, location: '', categories: [], url: undefined }
}
